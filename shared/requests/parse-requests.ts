import type { RevisionRow } from "../../sql/works/revisions.ts";
import { CREATION_TYPES, type CreationType, FORMER_TYPES, sayRenamed } from "../ground/creation-types.ts";
import { applyChanges, type ChangeBase, type Changed } from "./changes.ts";
import { toSaidDisclosure, withoutBlankWords } from "./disclosure.ts";
import {
  addProblem,
  conclude,
  explainIssues,
  type Outcome,
  type Problems,
  refuseMembers,
} from "./explain.ts";
import { checkRelease, type Release, type ScheduleWindow, toRelease } from "./parse-publishing.ts";
import { dropOmitted, type TypedPayload } from "./payloads.ts";
import {
  BESIDE_MEMBERS,
  blanksToNull,
  blankToNull,
  ENVELOPE_MEMBERS,
  type Envelope,
  isRecord,
  type RequestParts,
  splitRequest,
} from "./read-body.ts";
import type { Rebinding } from "./rebinding.ts";
import { schemasFor } from "./schemas.ts";
import { NOTHING_VALID, readValidMembers, type ValidMembers } from "./valid-members.ts";

type SavedMembers = Pick<
  RevisionRow,
  "section" | "change_summary" | "minor" | "disclosure" | "correction" | "signature"
>;

/** How a revision is saved, and what is done with it. */
type Saving = SavedMembers & Release;

/** A valid create request; `slug` is null where the service chooses one. */
export type CreateRequest = TypedPayload & Saving & { slug: string | null };

/** A valid update request: a complete payload of the creation's own type. */
export type UpdateRequest = TypedPayload & Saving;

/** For readers of a body to whom it is no matter when a schedule is due. */
const ANY_TIME: ScheduleWindow = { nowMs: Number.NEGATIVE_INFINITY, days: Number.POSITIVE_INFINITY };
/** Where a reader of a body has no revision at hand. */
const NOTHING: ChangeBase = { payload: {}, section: null };
const NO_OBJECT = "The body must be a JSON object.";

/** What a body was read as; of a refused one, what can be looked at further. */
export interface ReadSave<T> {
  outcome: Outcome<T>;
  valid(): ValidMembers;
  /** The places of attachments whose file `changes.files` names, each with its place there. */
  swapped?: ReadonlyMap<number, number>;
  /** What `changes.rebind` asks for: nothing is moved yet. */
  rebind?: Rebinding | null;
}

/** Reads the body of POST /creations; every problem is reported under its field. Never throws. */
export function readCreateRequest(
  body: unknown,
  window: ScheduleWindow = ANY_TIME,
  ownSite: string | null = null,
): ReadSave<CreateRequest> {
  const problems: Problems = new Map();
  if (!isRecord(body)) return refuseBody(problems);
  const request = splitRequest(body, problems);
  const type = readType(request.envelope.type, problems);
  const saved = readEnvelope(request.envelope, window, problems);
  const payload = readPayload(type, request, ownSite, problems);
  const outcome = conclude(problems, saved && payload && ({ type, ...saved, payload } as CreateRequest));
  return { outcome, valid: () => readValidMembers(type, request, ownSite) };
}

/** The creation that an update is for; `base` is its newest revision, which changes need. */
export interface UpdatedCreation {
  type: CreationType;
  slug: string;
  base?: ChangeBase | null;
}

/** Reads the body of PATCH /creations/{creation} for a creation of this type and slug. Never throws. */
export function readUpdateRequest(
  body: unknown,
  current: UpdatedCreation,
  window: ScheduleWindow = ANY_TIME,
  ownSite: string | null = null,
): ReadSave<UpdateRequest> {
  const problems: Problems = new Map();
  if (!isRecord(body)) return refuseBody(problems);
  const { changes = null, ...whole } = body;
  const request = splitRequest(whole, problems);
  const { type, slug, ...envelope } = request.envelope;
  refuseOtherIdentity({ type, slug }, current, problems);
  const saved = readEnvelope(envelope, window, problems);
  const changed = changes === null ? null : readChanges(changes, request, current, problems);
  const complete = changes === null ? request : changed && { ...request, ...changed };
  const payload = complete && readPayload(current.type, complete, ownSite, problems, ["changes"]);
  const valid = () => readValidMembers(current.type, validPart(request, changes, changed), ownSite);
  const { swapped = new Map<number, number>(), rebind = null } = changed ?? {};
  if (saved === null || payload === null) {
    return { outcome: conclude<UpdateRequest>(problems, null), valid, swapped, rebind };
  }
  const { slug: _, ...saving } = saved;
  const section = changed === null ? saving.section : (changed.section ?? null);
  // Changes keep what they do not name; null takes it away.
  const keeps = changed !== null && !Object.hasOwn(whole, "disclosure");
  const disclosure = keeps ? (current.base?.disclosure ?? null) : saving.disclosure;
  const value = { type: current.type, ...saving, section, disclosure, payload } as UpdateRequest;
  return { outcome: conclude(problems, value), valid, swapped, rebind };
}

/** A body with the payload that its changes make; without one where they are refused. */
function validPart(request: RequestParts, changes: unknown, changed: Changed | null) {
  if (changes === null) return request;
  const { section } = changed ?? {};
  return { envelope: { ...request.envelope, section }, payload: changed?.payload };
}

function refuseOtherIdentity(
  { type, slug }: { type: unknown; slug: unknown },
  current: UpdatedCreation,
  problems: Problems,
): void {
  if (type !== undefined && type !== current.type) {
    addProblem(
      problems,
      "type",
      `The type cannot change; this creation is a ${current.type}.${sayRenamed(type)}`,
    );
  }
  if (slug !== undefined && slug !== current.slug) {
    addProblem(problems, "slug", `The slug cannot change; it is ${current.slug}. Leave it out.`);
  }
}

/** The payload and the section that the changes make of the newest revision's; null where they have a problem. */
function readChanges(
  changes: unknown,
  { payload, envelope, unknown }: RequestParts,
  { type, base = null }: UpdatedCreation,
  problems: Problems,
): Changed | null {
  const members = Object.keys(schemasFor().payloads[type].shape);
  if (payload !== undefined && payload !== null) {
    for (const name of ["payload", "changes"])
      addProblem(problems, name, "Send payload or changes, not both.");
  }
  const changed = applyChanges(changes, base ?? NOTHING, { name: type, members }, problems);
  const beside = envelope.section;
  if (changed?.section !== undefined && beside !== undefined && changed.section !== beside) {
    addProblem(problems, "section", "The section in changes and the one beside it differ; send it once.");
  }
  if (changed === null) {
    refuseStrayMembers(unknown, members, problems, ["changes"]);
    return null;
  }
  // The envelope checks the one beside changes.
  const section = changed.section === undefined ? ((beside as string) ?? base?.section) : changed.section;
  return { ...changed, section };
}

function refuseBody(problems: Problems): ReadSave<never> {
  addProblem(problems, "body", NO_OBJECT);
  return { outcome: conclude<never>(problems, null), valid: () => NOTHING_VALID };
}

function readType(given: unknown, problems: Problems): CreationType | null {
  const type = CREATION_TYPES.find((name) => name === given);
  if (type !== undefined) return type;
  const choice = CREATION_TYPES.join(", ");
  const sentence =
    given === undefined ? `The type is required: one of ${choice}.` : `The type must be one of ${choice}.`;
  addProblem(problems, "type", `${sentence}${sayRenamed(given)}`);
  return FORMER_TYPES.get(given) ?? null;
}

function readEnvelope(
  envelope: Envelope,
  window: ScheduleWindow,
  problems: Problems,
): (Saving & { slug: string | null }) | null {
  const { type: _, ...sent } = envelope;
  const members = { ...sent, disclosure: withoutBlankWords(sent.disclosure) };
  const result = schemasFor().envelope.safeParse(members, { reportInput: true });
  if (!result.success) explainIssues(result.error.issues, [], problems);
  checkRelease(members, window, problems);
  if (!result.success) return null;
  refuseMinorCorrection(result.data, problems);
  const { publish, schedule, disclosure, ...saved } = result.data;
  const released = toRelease({ publish, schedule });
  return { ...blankToNull(saved), disclosure: toSaidDisclosure(disclosure), ...released };
}

/** Notes the problem of what is said to be both minor and a correction. */
export function refuseMinorCorrection(
  { minor, correction }: Pick<SavedMembers, "minor" | "correction">,
  problems: Problems,
): void {
  if (minor && correction)
    addProblem(problems, "correction", "A correction is not minor: leave out minor, or the correction.");
}

function readPayload(
  type: CreationType | null,
  request: RequestParts,
  ownSite: string | null,
  problems: Problems,
  more: readonly string[] = [],
): TypedPayload["payload"] | null {
  const schema = type === null ? null : schemasFor(ownSite).payloads[type];
  refuseStrayMembers(request.unknown, Object.keys(schema?.shape ?? {}), problems, more);
  if (!isRecord(request.payload)) {
    const missing = `The ${["payload", ...more].join(" or ")} is required.`;
    addProblem(
      problems,
      "payload",
      request.payload === undefined ? missing : "The payload must be an object.",
    );
    return null;
  }
  if (schema === null) return null;
  const result = schema.safeParse(dropOmitted(request.payload, schema.shape), { reportInput: true });
  if (result.success) return blanksToNull(result.data);
  explainIssues(result.error.issues, ["payload"], problems);
  return null;
}

function refuseStrayMembers(
  unknown: readonly string[],
  payloadMembers: readonly string[],
  problems: Problems,
  more: readonly string[],
): void {
  const misplaced = unknown.filter((key) => payloadMembers.includes(key));
  for (const key of misplaced) addProblem(problems, key, `The ${key} belongs inside payload.`);
  const stray = unknown.filter((key) => !payloadMembers.includes(key));
  const beside = [...ENVELOPE_MEMBERS, "payload", ...more, ...BESIDE_MEMBERS];
  const advice = `The allowed members are ${beside.join(", ")}.`;
  refuseMembers(stray, [], advice, problems, [...beside, ...payloadMembers]);
}
