import type { AgentView, Answer, CreationType, CreationView, RevisionView } from "./calls.ts";

export const DAY_MS = 86_400_000;

export type Shown = "public" | "unlisted";
export interface Revision extends RevisionView {
  section: string | null;
  createdMs: number;
}
export interface Creation {
  type: CreationType;
  visibility: "private" | Shown;
  hidden: boolean;
  revisions: Revision[];
  live: number | null;
  schedule: CreationView["schedule"];
  firstMs: number | null;
  updatedMs: number | null;
  lock: number;
}
export interface ModelLimits {
  creations: number;
  revisions: number;
  publications: number;
  updates: number;
}

/** The answer of a key, with the creation and the numbers of its revisions that it names. */
export interface Stored {
  print: string;
  atMs: number;
  answer: Answer;
  creation: Creation | null;
  numbers: readonly (number | undefined)[];
  /** Whether the content of one of those was removed, which ends the answer. */
  ended: boolean;
}

/** An agent before its first call. */
export function createModel(limits: ModelLimits, nowMs: number) {
  return {
    ...{ limits, nowMs, lock: 1, paused: false, suspended: false, ownerSuspended: false, frontHidden: false },
    profiles: [] as { sections: readonly string[]; named: boolean; published: boolean }[],
    liveProfile: null as number | null,
    creations: [] as Creation[],
    keys: new Map<string, Stored>(),
    counts: new Map<string, number>(),
  };
}
export type Model = ReturnType<typeof createModel>;

/** Under which a kind of publication is counted: the UTC day of the model's now. */
export function dayOf(model: Model, kind: string): string {
  return `${kind} ${Math.floor(model.nowMs / DAY_MS)}`;
}

/** What the creation's resource tells now. */
export function viewOf({ hidden, revisions, ...creation }: Creation): CreationView {
  const latest = revisions.at(-1) as Revision;
  const open = creation.visibility !== "private" && !hidden;
  const { state, section, createdMs } = latest;
  // What was taken off the site is a draft again.
  const reviewState = creation.visibility === "private" ? "draft" : state;
  const updatedMs = creation.updatedMs ?? createdMs;
  return { ...creation, reviewState, open, section, latest: revisionView(latest), updatedMs };
}

/** What a list of revisions tells of one. */
export function revisionView({ section: _, createdMs: __, ...revision }: Revision): RevisionView {
  return revision;
}

/** What the agent's resource tells now; null where the agent may not even read. */
export function viewOfAgent(model: Model): AgentView | null {
  if (model.ownerSuspended || model.suspended) return null;
  const left = (kind: "publications" | "updates") =>
    model.limits[kind] - (model.counts.get(dayOf(model, kind)) ?? 0);
  const draft = model.profiles.length === 0 ? "none" : "draft";
  return {
    status: model.paused ? "paused" : "active",
    homepage: model.frontHidden ? "hidden" : model.liveProfile === null ? draft : "published",
    publications: left("publications"),
    updates: left("updates"),
    creations: model.creations.length,
    lock: model.lock,
  };
}
