import type { Answer, CreationType, Order, Ref, Request } from "./calls.ts";
import {
  cancel,
  checkEligible,
  checkLatest,
  checkReadiness,
  count,
  liveSections,
  makePublic,
  publish,
  Refused,
  refuse,
  unpublish,
} from "./publication.ts";
import {
  type Creation,
  DAY_MS,
  type Model,
  type Revision,
  type Shown,
  type Stored,
  viewOf,
} from "./state.ts";

// The state machine of the specification, written a second time and in the small: no database, no HTTP, no line of ours.

const STATUS: Record<string, number> = {
  ...{ owner_suspended: 403, agent_suspended: 403, agent_paused: 403, not_found: 404, version_mismatch: 412 },
  ...{ precondition_required: 428, validation_failed: 422, idempotency_key_required: 422 },
};

/** What a call answers; the model moves on. */
export function send(model: Model, request: Request): Answer {
  try {
    return run(model, request);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { status: STATUS[error.message] ?? 409, code: error.message, view: null };
  }
}

function run(model: Model, request: Request): Answer {
  if (model.ownerSuspended) throw refuse("owner_suspended");
  if (model.suspended) throw refuse("agent_suspended");
  if (model.paused) throw refuse("agent_paused");
  const { kind, key, ifMatch, ...body } = request;
  const creation = kind === "create" || kind.endsWith("Profile") ? null : find(model, request.creation);
  const print = JSON.stringify([kind, body]);
  const stored = kind === "saveProfile" ? null : findAnswer(model, key, print);
  if (stored !== null) return stored;
  if (kind !== "create") checkIfMatch(ifMatch, creation?.lock ?? model.lock);
  const done = creation ? change(model, request, creation) : begin(model, request);
  const answer = { status: kind === "create" ? 201 : 200, code: null, view: done && viewOf(done) };
  if (key !== null) model.keys.set(key, { print, atMs: model.nowMs, answer, ...namesOf(done), ended: false });
  return answer;
}

/** The answer to a request that was made before under its key. */
function findAnswer(model: Model, key: string | null, print: string): Answer | null {
  if (key === null) throw refuse("idempotency_key_required");
  const stored = model.keys.get(key);
  if (stored === undefined || stored.atMs <= model.nowMs - DAY_MS) return null;
  if (stored.print !== print) throw refuse("idempotency_mismatch");
  if (stored.ended) throw refuse("revision_content_removed");
  return stored.answer;
}

function namesOf(creation: Creation | null): Pick<Stored, "creation" | "numbers"> {
  if (creation === null) return { creation, numbers: [] };
  const { revisions, live, schedule } = creation;
  return { creation, numbers: [revisions.at(-1)?.number, live ?? undefined, schedule?.number] };
}

function find(model: Model, ref: Ref): Creation {
  const creation = typeof ref === "number" ? model.creations[ref] : undefined;
  if (!creation) throw refuse("not_found");
  return creation;
}

function checkIfMatch(header: string | null, lock: number): void {
  if (header === null || header === "*") throw refuse("precondition_required");
  const versions = header.split(",").map((part) => /^(?:W\/)?"?(\d+)"?$/.exec(part.trim())?.[1]);
  if (!versions.includes(String(lock))) throw refuse("version_mismatch");
}

function begin(model: Model, request: Request): Creation | null {
  if (request.kind === "publishProfile") return publishProfile(model, request);
  if (request.kind === "saveProfile") {
    model.profiles.push({ sections: request.sections, named: request.named, published: false });
    model.lock++;
    return null;
  }
  checkEntry(model, request, request.type, null);
  if (model.creations.length >= model.limits.creations) throw refuse("quota_exhausted");
  const base = { visibility: "private", hidden: false, live: null, schedule: null, firstMs: null } as const;
  const creation: Creation = { ...base, type: request.type, revisions: [], updatedMs: null, lock: 1 };
  model.creations.push(creation);
  addRevision(model, creation, request, "draft");
  return creation;
}

function publishProfile(model: Model, { revision }: Request): null {
  const place = revision === "unknown" ? -1 : revision.number;
  const profile = model.profiles[place];
  if (!profile) throw refuse("not_found");
  if (place !== model.profiles.length - 1) throw refuse("revision_changed");
  if (profile.published) throw refuse("already_published");
  if (!profile.named) throw refuse("validation_failed");
  profile.published = true;
  model.liveProfile = place;
  model.lock++;
  return null;
}

function checkEntry(model: Model, { entry }: Request, type: CreationType, self: Creation | null): void {
  if (type !== "collection") return;
  const target = typeof entry === "number" ? model.creations[entry] : undefined;
  if (!target || target === self || target.type === "collection") throw refuse("validation_failed");
}

type Saved = Pick<Revision, "section" | "summary" | "minor">;
function addRevision(
  model: Model,
  creation: Creation,
  { section, summary, minor }: Saved,
  state: string,
): Revision {
  const base = { createdMs: model.nowMs, replacedMs: null, removed: false, filesDeleted: false };
  const revision = { ...base, number: creation.revisions.length + 1, state, section, summary, minor };
  creation.revisions.push(revision);
  return revision;
}

type Change = (model: Model, creation: Creation, request: Request, visibility: Shown | null) => void;
const CHANGES: Record<string, Change> = {
  patch(model, creation, request) {
    checkEntry(model, request, creation.type, creation);
    if (creation.revisions.length >= model.limits.revisions) throw refuse("revision_limit");
    addRevision(model, creation, request, "draft");
    cancel(creation);
    creation.lock++;
  },
  publish(model, creation, request, visibility) {
    publish(model, creation, findRevision(model, creation, request), visibility);
  },
  schedule(model, creation, request, visibility) {
    const { publishMs } = request;
    if (publishMs <= model.nowMs || publishMs > model.nowMs + 365 * DAY_MS) throw refuse("validation_failed");
    const revision = findRevision(model, creation, request);
    checkLatest(creation, revision);
    checkReadiness(model, creation, revision);
    creation.schedule = { number: revision.number, status: "pending", publishMs, visibility, code: null };
    creation.lock++;
  },
  cancel(_model, creation) {
    if (creation.schedule?.status !== "pending") throw refuse("not_found");
    cancel(creation);
    creation.lock++;
  },
  visibility(model, creation, _request, visibility) {
    if (visibility === null) throw refuse("validation_failed");
    if (creation.visibility === "private") throw refuse("not_published");
    if (creation.visibility === visibility) return;
    if (visibility === "public") count(model, "updates");
    creation.lock++;
    creation.visibility = visibility;
  },
  unpublish: (_model, creation) => unpublish(creation),
  restore(model, creation, request, visibility) {
    const old = findRevision(model, creation, request);
    if (old.state !== "published") throw refuse("not_published");
    if (old.removed) throw refuse("revision_content_removed");
    if (old.filesDeleted) throw refuse("revision_files_deleted");
    checkEligible(model, creation);
    if (creation.revisions.length >= model.limits.revisions) throw refuse("revision_limit");
    count(model, "updates");
    const section = old.section !== null && liveSections(model).includes(old.section) ? old.section : null;
    const copy = addRevision(model, creation, { section, summary: true, minor: false }, "published");
    makePublic(model, creation, copy, visibility ?? "public");
  },
};

function change(model: Model, request: Request, creation: Creation): Creation {
  const { kind, visibility } = request;
  const sendsVisibility = !["patch", "cancel", "unpublish"].includes(kind);
  if (sendsVisibility && visibility === "secret") throw refuse("validation_failed");
  CHANGES[kind === "submit" ? "publish" : kind]?.(
    model,
    creation,
    request,
    visibility === "secret" ? null : visibility,
  );
  return creation;
}

function findRevision(model: Model, creation: Creation, { revision }: Request): Revision {
  const own = revision !== "unknown" && model.creations[revision.creation] === creation;
  const found = own ? creation.revisions[revision.number - 1] : undefined;
  if (!found) throw refuse("not_found");
  return found;
}

/** Carries out an order; its refusal's code, or null. */
export function obey(model: Model, { kind, order, creation: place, number }: Order): string | null {
  const creation = model.creations[place];
  if (kind === "owner") model.ownerSuspended = order === "suspend";
  else if (kind === "agent") return obeyOnAgent(model, order);
  else if (creation && kind === "remove")
    return removeContent(model, creation, creation.revisions[number - 1] as Revision);
  else if (creation && order === "unpublish") unpublish(creation);
  else if (creation && creation.hidden !== (order === "hide")) {
    creation.hidden = order === "hide";
    creation.lock++;
  }
  return null;
}

function obeyOnAgent(model: Model, order: string): string | null {
  if (order.endsWith("suspend")) model.suspended = order === "suspend";
  else if (order.endsWith("hide")) model.frontHidden = order === "hide";
  else if (model.suspended) return "agent_not_active";
  else model.paused = order === "pause";
  return null;
}

function removeContent(model: Model, creation: Creation, revision: Revision): string | null {
  if (revision.removed) return "revision_content_removed";
  if (revision.state !== "published") return "not_published";
  if (creation.live === revision.number) return "invalid_revision_state";
  Object.assign(revision, { removed: true, summary: false });
  for (const stored of model.keys.values())
    if (stored.creation === creation && stored.numbers.includes(revision.number)) stored.ended = true;
  creation.lock++;
  return null;
}
