import fc from "fast-check";
import type { CreationType, Order, Request, RevisionRef } from "./calls.ts";
import { type Creation, DAY_MS, type Model, viewOfAgent } from "./state.ts";

/** A step as it is drawn: what it is about is chosen when its turn comes, from what there is by then. */
export interface Draw {
  kind: string;
  creation: number;
  /** Which revision, creation, header or moment: 0 to 99, most of them the sensible one. */
  dice: { creation: number; revision: number; ifMatch: number; key: number; more: number };
  type: CreationType;
  section: string | null;
  summary: boolean;
  minor: boolean;
  visibility: "public" | "unlisted" | "secret" | null;
}

export type Step =
  | { do: "call"; request: Request }
  | { do: "order"; order: Order }
  | { do: "wait"; untilMs: number; sweeps: boolean };

const WEIGHTS: Record<string, number> = {
  ...{ nothing: 1, create: 12, patch: 24, publish: 26, submit: 4, schedule: 20, cancel: 6, unpublish: 7 },
  ...{ restore: 14, visibility: 6, again: 7, againChanged: 3, wait: 18, saveProfile: 2, publishProfile: 2 },
  ...{ pause: 3, resume: 1, suspend: 2, unsuspend: 1, hideFront: 2, unhideFront: 1, ownerSuspend: 2 },
  ...{ ownerUnsuspend: 1, hide: 3, unhide: 3, takeOff: 3, remove: 8 },
};
const TYPES = ["story", "dataset", "collection", "external_project", "brief", "file"] as const;
const percent = fc.nat(99);

/** One step; it shrinks towards one that does nothing. */
export const aStep: fc.Arbitrary<Draw> = fc.record({
  kind: fc.oneof(
    { withCrossShrink: true },
    ...Object.entries(WEIGHTS).map(([kind, weight]) => ({ weight, arbitrary: fc.constant(kind) })),
  ),
  creation: fc.nat(2),
  dice: fc.record({ creation: percent, revision: percent, ifMatch: percent, key: percent, more: percent }),
  type: fc.constantFrom(...TYPES),
  section: fc.constantFrom(null, null, null, "reports", "reports", "nowhere"),
  summary: fc.nat(3).map((drawn) => drawn < 3),
  minor: fc.boolean(),
  visibility: fc.oneof(
    { weight: 8, arbitrary: fc.constant(null) },
    { weight: 10, arbitrary: fc.constantFrom("public" as const, "unlisted" as const) },
    { weight: 1, arbitrary: fc.constant("secret" as const) },
  ),
});

/** What a drawn step means now; null where there is nothing that it could be about. */
export function resolve(model: Model, draw: Draw, number: number, sent: readonly Request[]): Step | null {
  if (draw.kind === "nothing") return null;
  const kind = kindNow(model, draw);
  if (kind === "wait") return waiting(model, draw);
  if (kind === "again" || kind === "againChanged") {
    const before = sent.at(-1 - (draw.dice.more % 3));
    if (!before || hasForgottenFiles(model, before)) return null;
    return { do: "call", request: kind === "again" ? before : changed(before) };
  }
  const order = ORDERS[kind];
  if (order) return { do: "order", order: { ...order, ...choose(model, draw) } };
  const creation = fitting(model, kind, draw);
  if (!creation && kind !== "create" && !kind.endsWith("Profile")) return null;
  return { do: "call", request: requestOf(model, { ...draw, kind }, number, creation) };
}

/** Mostly a creation on which a call of this kind can succeed, where there is one. */
function fitting(model: Model, kind: string, { creation, dice }: Draw): Creation | undefined {
  const fits: Record<string, (one: Creation) => boolean> = {
    cancel: ({ schedule }) => schedule?.status === "pending",
    unpublish: ({ live, schedule }) => live !== null || schedule?.status === "pending",
    visibility: ({ live }) => live !== null,
    restore: ({ firstMs }) => firstMs !== null,
    publish: ({ revisions }) => revisions.at(-1)?.state === "draft",
    schedule: ({ revisions }) => revisions.at(-1)?.state === "draft",
  };
  const all = model.creations;
  const chosen = dice.key < 80 ? all.filter(fits[kind] ?? (() => true)) : all;
  const from = chosen.length > 0 ? chosen : all;
  return from[creation % Math.max(1, from.length)];
}

/** Past its replay window a call is made anew, but a file that it named may be gone by then. */
function hasForgottenFiles(model: Model, { kind, type, key }: Request): boolean {
  const stored = key === null ? undefined : model.keys.get(key);
  const isOld = stored !== undefined && stored.atMs <= model.nowMs - DAY_MS;
  return isOld && kind === "create" && (type === "dataset" || type === "file");
}

const ORDERS: Record<string, Pick<Order, "kind" | "order">> = {
  pause: { kind: "agent", order: "pause" },
  resume: { kind: "agent", order: "resume" },
  suspend: { kind: "agent", order: "suspend" },
  unsuspend: { kind: "agent", order: "unsuspend" },
  hideFront: { kind: "agent", order: "hide" },
  unhideFront: { kind: "agent", order: "unhide" },
  ownerSuspend: { kind: "owner", order: "suspend" },
  ownerUnsuspend: { kind: "owner", order: "unsuspend" },
  hide: { kind: "creation", order: "hide" },
  unhide: { kind: "creation", order: "unhide" },
  takeOff: { kind: "creation", order: "unpublish" },
  remove: { kind: "remove", order: "remove" },
};

function choose(model: Model, { creation, dice }: Draw): { creation: number; number: number } {
  const place = creation % Math.max(1, model.creations.length);
  const many = model.creations[place]?.revisions.length ?? 1;
  return { creation: place, number: (dice.revision % many) + 1 };
}

/** Most of the time what closes an agent is lifted at once and what is missing is made, so that sequences get somewhere. */
function kindNow(model: Model, { kind, dice }: Draw): string {
  const isOrder = kind in ORDERS;
  const isLifting = viewOfAgent(model) === null || model.paused;
  if (model.creations.length === 0 && !isLifting && !isOrder && !kind.endsWith("Profile")) return "create";
  if (dice.more >= 55) return kind;
  if (model.ownerSuspended) return "ownerUnsuspend";
  if (model.suspended) return "unsuspend";
  if (model.paused) return "resume";
  return model.frontHidden ? "unhideFront" : kind;
}

/** A moment of a whole second, so that no answer cuts anything off. */
function waiting({ nowMs }: Model, { dice }: Draw): Step {
  const midnightMs = (Math.floor(nowMs / DAY_MS) + 1) * DAY_MS;
  const timestamps = [nowMs + 660_000, nowMs + 660_000, midnightMs - 1000, midnightMs, nowMs + 5 * 3_600_000];
  const far = [nowMs + 25 * 3_600_000, nowMs + 29 * DAY_MS, nowMs + 30 * DAY_MS, nowMs + 31 * DAY_MS];
  const untilMs = [...timestamps, ...far][dice.more % 9] ?? nowMs;
  return { do: "wait", untilMs: Math.max(untilMs, nowMs + 1000), sweeps: dice.key < 85 };
}

/** The same key with another body, where the call has one. */
function changed(request: Request): Request {
  if (request.kind === "saveProfile" || request.kind === "publishProfile") return request;
  if (request.kind === "create" || request.kind === "patch") return { ...request, minor: !request.minor };
  if (request.kind === "cancel" || request.kind === "unpublish") return request;
  return { ...request, visibility: request.visibility === "public" ? "unlisted" : "public" };
}

function requestOf(model: Model, draw: Draw, number: number, creation: Creation | undefined): Request {
  const { kind, dice, type, section, summary, minor, visibility } = draw;
  const place = creation ? model.creations.indexOf(creation) : 0;
  const foreign = dice.creation < 1 ? "foreign" : "unknown";
  const others = model.creations.map((_, index) => index).filter((index) => index !== place);
  const choices = [600, 600, 600, 600, 93_600, 93_600, -60, 400 * 86_400];
  return {
    ...{ kind, type, section, summary, minor, visibility },
    creation: dice.creation < 3 ? foreign : place,
    key: dice.key < 2 ? null : `key-${number}`,
    ifMatch: headerOf(dice.ifMatch, kind.endsWith("Profile") ? model.lock : (creation?.lock ?? 1)),
    entry: dice.more < 10 || !creation ? foreign : (others[dice.more % Math.max(1, others.length)] ?? place),
    revision:
      kind === "publishProfile"
        ? profileOf(model, dice.revision)
        : revisionOf(model, creation, dice.revision, kind),
    publishMs: model.nowMs + ((choices[dice.more % choices.length] ?? 0) + number) * 1000,
    sections: dice.more < 70 ? ["reports"] : [],
    named: dice.key < 90,
  };
}

function headerOf(dice: number, lock: number): string | null {
  const rare = [
    null,
    "*",
    `"${lock + 1}"`,
    `"${Math.max(0, lock - 1)}"`,
    "garbage",
    `W/"${lock}"`,
    `"0", "${lock}"`,
  ];
  return dice < 7 ? (rare[dice] ?? null) : dice % 2 === 0 ? `"${lock}"` : String(lock);
}

/** Restoring is about what was published, everything else about the latest revision. */
function revisionOf(model: Model, creation: Creation | undefined, dice: number, kind: string): RevisionRef {
  if (!creation || dice < 3) return "unknown";
  const place = model.creations.indexOf(creation);
  const other = model.creations.findIndex((one) => one !== creation);
  if (dice < 6 && other >= 0) return { creation: other, number: 1 };
  const numbers = creation.revisions.map((one) => one.number);
  const published = creation.revisions.filter((one) => one.state === "published").map((one) => one.number);
  const older = kind === "restore" && dice < 80 && published.length > 0 ? published : numbers;
  const rareBelow = kind === "restore" ? 95 : 15;
  const number = dice < rareBelow ? older[dice % older.length] : undefined;
  return { creation: place, number: number ?? numbers.length };
}

function profileOf(model: Model, dice: number): RevisionRef {
  const latest = model.profiles.length - 1;
  if (latest < 0 || dice < 4) return "unknown";
  return { creation: -1, number: dice < 20 ? 0 : latest };
}
