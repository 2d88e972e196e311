import { type Creation, DAY_MS, dayOf, type Model, type Revision, type Shown } from "./state.ts";

// What the specification asks of a publication and what one does, of its own or when its time comes: no line of ours.

export class Refused extends Error {}
export const refuse = (code: string) => new Refused(code);

export function cancel(creation: Creation): void {
  if (creation.schedule?.status === "pending")
    creation.schedule = { ...creation.schedule, status: "cancelled" };
}

export function unpublish(creation: Creation): void {
  if (creation.visibility === "private" && creation.schedule?.status !== "pending") return;
  Object.assign(creation, { visibility: "private", live: null, lock: creation.lock + 1 });
  cancel(creation);
}

export function checkLatest(creation: Creation, revision: Revision): void {
  if (revision !== creation.revisions.at(-1)) throw refuse("revision_changed");
  if (revision.state === "published") throw refuse("invalid_revision_state");
}

export function liveSections({ profiles, liveProfile }: Model): readonly string[] {
  return liveProfile === null ? [] : (profiles[liveProfile]?.sections ?? []);
}

export function checkReadiness(model: Model, creation: Creation, { section, summary }: Revision): void {
  if (creation.firstMs !== null && !summary) throw refuse("validation_failed");
  if (section !== null && !liveSections(model).includes(section)) throw refuse("validation_failed");
}

export function checkEligible(model: Model, creation: Creation): void {
  if (model.liveProfile === null || model.frontHidden || creation.hidden)
    throw refuse("publication_not_eligible");
}

export function count(model: Model, kind: "publications" | "updates"): void {
  const used = model.counts.get(dayOf(model, kind)) ?? 0;
  if (used >= model.limits[kind]) throw refuse(kind === "updates" ? "update_limit" : "publication_limit");
  model.counts.set(dayOf(model, kind), used + 1);
}

export function publish(
  model: Model,
  creation: Creation,
  revision: Revision,
  visibility: Shown | null,
): void {
  checkLatest(creation, revision);
  checkEligible(model, creation);
  checkReadiness(model, creation, revision);
  count(model, creation.firstMs === null ? "publications" : "updates");
  revision.state = "published";
  makePublic(model, creation, revision, visibility);
}

export function makePublic(
  model: Model,
  creation: Creation,
  revision: Revision,
  visibility: Shown | null,
): void {
  for (const other of creation.revisions) {
    if (other !== revision && other.state === "published") other.replacedMs ??= model.nowMs;
  }
  cancel(creation);
  creation.visibility = visibility ?? (creation.visibility === "private" ? "public" : creation.visibility);
  if (creation.firstMs === null || !revision.minor) creation.updatedMs = model.nowMs;
  creation.firstMs ??= model.nowMs;
  creation.live = revision.number;
  creation.lock++;
}

/** Time passes; where the service sweeps, what is due then happens. */
export function wait(model: Model, untilMs: number, sweeps: boolean): void {
  model.nowMs = untilMs;
  if (!sweeps) return;
  const dueMs = ({ schedule }: Creation) => (schedule?.status === "pending" ? schedule.publishMs : Infinity);
  const due = model.creations.filter((creation) => dueMs(creation) <= untilMs);
  for (const creation of due.sort((one, two) => dueMs(one) - dueMs(two))) fire(model, creation);
  for (const creation of model.creations.filter(({ type }) => type === "dataset" || type === "file")) {
    for (const revision of creation.revisions) {
      const aged = revision.replacedMs !== null && revision.replacedMs <= untilMs - 30 * DAY_MS;
      if (aged && !revision.removed && creation.live !== revision.number) revision.filesDeleted = true;
    }
  }
}

function fire(model: Model, creation: Creation): void {
  const due = creation.schedule as NonNullable<Creation["schedule"]>;
  try {
    if (model.paused || model.suspended || model.ownerSuspended) throw refuse("publishing_blocked");
    creation.schedule = { ...due, status: "published" };
    publish(model, creation, creation.revisions[due.number - 1] as Revision, due.visibility as Shown | null);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    creation.schedule = { ...due, status: "failed", code: error.message };
    creation.lock++;
  }
}
