import { blankToNull, dropNulls } from "./blanks.ts";
import { CREATION_TYPES, type CreationType, FORMER_TYPES, type TypedPayload } from "./creation-types.ts";
import {
  addProblem,
  conclude,
  explainIssues,
  type Outcome,
  type Problems,
  refuseMembers,
} from "./explain.ts";
import {
  ENVELOPE_MEMBERS,
  type Envelope,
  isRecord,
  type LiftedRequest,
  liftEnvelope,
} from "./lift-envelope.ts";
import type { PayloadOptions } from "./options.ts";
import { schemasFor } from "./schemas.ts";

interface SavedMembers {
  section: string | null;
  change_summary: string | null;
  minor: boolean;
}

/** A valid create request; `slug` is null where the service chooses one. */
export type CreateRequest = TypedPayload & SavedMembers & { slug: string | null };

/** A valid update request: a complete payload of the creation's own type. */
export type UpdateRequest = TypedPayload & SavedMembers;

/** Members whose null means their default. */
const DEFAULTED_MEMBERS = ["sources", "references", "show_preview"];
const NO_OBJECT = "The body must be a JSON object.";

/** Reads the body of POST /creations; every problem is reported under its field. Never throws. */
export function parseCreateRequest(body: unknown, options: PayloadOptions): Outcome<CreateRequest> {
  const problems: Problems = new Map();
  if (!isRecord(body)) return refuseBody(problems);
  const request = liftEnvelope(body, problems);
  const type = readType(request.envelope.type, problems);
  const saved = readEnvelope(request.envelope, options, problems);
  const payload = readPayload(type, request, options, problems);
  return conclude(problems, saved && payload && ({ type, ...saved, payload } as CreateRequest));
}

/** Reads the body of PATCH /creations/{creation} for a creation of this type and slug. Never throws. */
export function parseUpdateRequest(
  body: unknown,
  current: { type: CreationType; slug: string },
  options: PayloadOptions,
): Outcome<UpdateRequest> {
  const problems: Problems = new Map();
  if (!isRecord(body)) return refuseBody(problems);
  const request = liftEnvelope(body, problems);
  const { type, slug, ...envelope } = request.envelope;
  if (type !== undefined && type !== current.type) {
    addProblem(
      problems,
      "type",
      `The type cannot change; this creation is a ${current.type}.${renamed(type)}`,
    );
  }
  if (slug !== undefined && slug !== current.slug) {
    addProblem(problems, "slug", `The slug cannot change; it is ${current.slug}. Leave it out.`);
  }
  const saved = readEnvelope(envelope, options, problems);
  const payload = readPayload(current.type, request, options, problems);
  if (saved === null || payload === null) return conclude<UpdateRequest>(problems, null);
  const { section, change_summary, minor } = saved;
  return conclude(problems, { type: current.type, section, change_summary, minor, payload } as UpdateRequest);
}

function refuseBody(problems: Problems): Outcome<never> {
  addProblem(problems, "body", NO_OBJECT);
  return conclude<never>(problems, null);
}

function readType(given: unknown, problems: Problems): CreationType | null {
  const type = CREATION_TYPES.find((name) => name === given);
  if (type !== undefined) return type;
  const choice = CREATION_TYPES.join(", ");
  const sentence =
    given === undefined ? `The type is required: one of ${choice}.` : `The type must be one of ${choice}.`;
  addProblem(problems, "type", `${sentence}${renamed(given)}`);
  return FORMER_TYPES.get(given) ?? null;
}

function renamed(type: unknown): string {
  const now = FORMER_TYPES.get(type);
  return now === undefined ? "" : ` The type ${type} is now called ${now}.`;
}

function readEnvelope(
  envelope: Envelope,
  options: PayloadOptions,
  problems: Problems,
): (SavedMembers & { slug: string | null }) | null {
  const { type: _, ...members } = envelope;
  const result = schemasFor(options).envelope.safeParse(members, { reportInput: true });
  if (result.success) return blankToNull(result.data);
  explainIssues(result.error.issues, [], problems);
  return null;
}

function readPayload(
  type: CreationType | null,
  request: LiftedRequest,
  options: PayloadOptions,
  problems: Problems,
): TypedPayload["payload"] | null {
  const schema = type === null ? null : schemasFor(options).payloads[type];
  refuseStrayMembers(request.unknown, Object.keys(schema?.shape ?? {}), problems);
  if (!isRecord(request.payload)) {
    const sentence =
      request.payload === undefined ? "The payload is required." : "The payload must be an object.";
    addProblem(problems, "payload", sentence);
    return null;
  }
  if (schema === null) return null;
  const defaulted = DEFAULTED_MEMBERS.filter((name) => name in schema.shape);
  const result = schema.safeParse(dropNulls(request.payload, defaulted), { reportInput: true });
  if (result.success) return blankToNull(result.data);
  explainIssues(result.error.issues, ["payload"], problems);
  return null;
}

function refuseStrayMembers(
  unknown: readonly string[],
  payloadMembers: readonly string[],
  problems: Problems,
): void {
  const misplaced = unknown.filter((key) => payloadMembers.includes(key));
  for (const key of misplaced) addProblem(problems, key, `The ${key} belongs inside payload.`);
  const stray = unknown.filter((key) => !payloadMembers.includes(key));
  const beside = [...ENVELOPE_MEMBERS, "payload"];
  const advice = `The allowed members are ${beside.join(", ")}.`;
  refuseMembers(stray, [], advice, problems, [...beside, ...payloadMembers]);
}
