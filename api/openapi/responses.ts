import { STATUS_CODES } from "node:http";
import { z } from "zod";
import { ERROR_STATUS } from "../../shared/ground/errors.ts";
import { hasMinimalForm, type ListedRoute } from "../http/route-docs.ts";
import { describeBody, type JsonObject, referToExamples, refTo } from "./components.ts";
import { Enrolled } from "./schemas.ts";

const text = { type: "string" };

/** Headers that several answers carry. */
export const RESPONSE_HEADERS = {
  "X-Request-Id": { description: "Names this request in our logs.", schema: text },
  "RateLimit-Policy": { description: 'The limit, as in `"writes";q=30;w=60`.', schema: text },
  RateLimit: {
    description: 'What is left, and the seconds until more is, as in `"writes";r=29;t=41`.',
    schema: text,
  },
  ETag: { description: "The version: lock_version in quotes, or of public addresses a hash.", schema: text },
  Location: {
    description: "The address of what was made, or of what was asked for.",
    schema: { type: "string", format: "uri" },
  },
  "AI-Disclosure": {
    description:
      'How the work was made, a Dictionary of RFC 9651, as in `mode=machine-generated, model="m-large"`; none where no origin is stated. A draft of the IETF.',
    schema: text,
  },
  "Idempotent-Replayed": { description: "`true` on a stored answer to an earlier request.", schema: text },
  "Preference-Applied": { description: "`return=minimal` on an answer without texts.", schema: text },
  "Retry-After": {
    description: "Seconds after which the same request may succeed.",
    schema: { type: "integer" },
  },
  "WWW-Authenticate": { description: "`Bearer`", schema: text },
} as const satisfies Record<string, JsonObject>;

type HeaderName = keyof typeof RESPONSE_HEADERS;

const ALWAYS: readonly HeaderName[] = ["X-Request-Id"];
const COUNTED: readonly HeaderName[] = [...ALWAYS, "RateLimit-Policy", "RateLimit"];
const SHARED: Record<number, string> = {
  400: "http_error",
  401: "unauthenticated",
  413: "http_error",
  414: "http_error",
  415: "http_error",
  429: "rate_limited",
  500: "server_error",
  503: "http_error",
};

/** Every answer of a route by its status: its success, and each refusal with its codes. */
export function describeResponses(route: ListedRoute): JsonObject {
  const answers = Object.entries(route.answers).map(
    ([status, schema]) => [status, describeAnswer(route, Number(status), schema)] as const,
  );
  const failures = [...listFailures(route)].map(([status, codes]) => [
    status,
    codes.join() === SHARED[status]
      ? refTo("responses", nameFailure(status))
      : describeFailure(status, codes),
  ]);
  const known = { description: "Not Modified", headers: refToHeaders([...COUNTED, "ETag"]) };
  return {
    ...Object.fromEntries(answers),
    ...(route.audience === "public" ? { 304: known } : {}),
    ...Object.fromEntries(failures),
  };
}

function describeAnswer(route: ListedRoute, status: number, schema: z.ZodType | null): JsonObject {
  const headers: HeaderName[] = [...COUNTED];
  if (route.audience === "public" || isVersioned(schema)) headers.push("ETag");
  const makes = ["agent", "uploader"].includes(route.audience) && status === 201;
  if (makes || isRedirect(status)) headers.push("Location");
  if (route.disclosed && !isRedirect(status)) headers.push("AI-Disclosure");
  if (route.idempotencyKey) headers.push("Idempotent-Replayed");
  if (hasMinimalForm(route)) headers.push("Preference-Applied");
  return {
    description: STATUS_CODES[status] ?? "Answer",
    headers: refToHeaders(headers),
    ...(status === 204 || isRedirect(status) ? {} : { content: describeContent(route, schema) }),
  };
}

function isRedirect(status: number): boolean {
  return status >= 300 && status < 400;
}

/** Whether the answer is one resource with a lock_version, which its ETag repeats; an enrolment answers with its agent. */
function isVersioned(schema: z.ZodType | null): boolean {
  if (schema === Enrolled) return true;
  if (schema instanceof z.ZodUnion) return schema.options.some((form) => isVersioned(form as z.ZodType));
  const data = schema instanceof z.ZodObject ? schema.shape.data : null;
  const forms = data instanceof z.ZodUnion ? data.options : [data];
  return forms.some((form) => form instanceof z.ZodObject && "lock_version" in form.shape);
}

function describeContent({ method, url, mediaTypes }: ListedRoute, schema: z.ZodType | null): JsonObject {
  if (schema !== null) {
    const place = { what: `the answer of ${method} ${url}`, file: "answers.ts" } as const;
    const [type = "application/json"] = mediaTypes ?? [];
    return { [type]: describeBody(schema, place) };
  }
  if (mediaTypes === undefined) throw new Error(`${method} ${url} answers no JSON: name its mediaTypes`);
  return Object.fromEntries(mediaTypes.map((type) => [type, { schema: text }]));
}

/** The refusals whose codes are the same on every route, by name. */
export function describeSharedFailures(): JsonObject {
  return Object.fromEntries(
    Object.entries(SHARED).map(([status, code]) => [
      nameFailure(Number(status)),
      describeFailure(Number(status), [code]),
    ]),
  );
}

function nameFailure(status: number): string {
  return (STATUS_CODES[status] ?? "").replaceAll(" ", "");
}

function describeFailure(status: number, codes: readonly string[]): JsonObject {
  const headers: HeaderName[] = [...ALWAYS];
  if (status === 401) headers.push("WWW-Authenticate");
  if (status === 429) headers.push("RateLimit-Policy", "RateLimit");
  if (status === 429 || status === 503 || codes.includes("idempotency_in_progress"))
    headers.push("Retry-After");
  // Not beside the reference: many programs read a $ref and nothing next to it.
  const narrowed = { type: "object", properties: { code: { type: "string", enum: codes } } };
  const schema = { allOf: [refTo("schemas", "Failure"), narrowed] };
  const examples = Object.assign({}, ...codes.map((code) => referToExamples(`Failure.${code}`).examples));
  const shown = Object.keys(examples).length === 0 ? {} : { examples };
  return {
    description: codes.map((code) => `\`${code}\``).join(", "),
    headers: refToHeaders(headers),
    content: { "application/json": { schema, ...shown } },
  };
}

function refToHeaders(names: readonly HeaderName[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, refTo("headers", name)]));
}

/** The codes that a route can answer, by status: those of its audience, of its headers, and its own. */
function listFailures(route: ListedRoute): Map<number, string[]> {
  const codes = [
    ...(route.audience === "agent" ? listGates(route) : []),
    ...(/[:*]/.test(route.url) ? ["not_found"] : []),
    ...(route.ifMatch ? ["precondition_required", "version_mismatch"] : []),
    ...(route.idempotencyKey ? KEY_CODES : []),
    ...(route.codes ?? []),
    ...["network_blocked", "rate_limited", "server_error"],
  ];
  const unread = [
    // A body is read where a route takes none, too.
    ...(route.method === "GET" ? [] : [400, 413, 415]),
    ...(route.query === undefined ? [] : [414]),
  ];
  const failures = [...new Set(codes)].map((code) => [statusOf(code), code] as const);
  const httpFailures = [...unread, ...(route.httpErrors ?? []), 503].map(
    (status) => [status, "http_error"] as const,
  );
  const byStatus = Map.groupBy([...failures, ...httpFailures], ([status]) => status);
  return new Map([...byStatus].map(([status, entries]) => [status, entries.map(([, code]) => code)]));
}

const KEY_CODES = [
  "idempotency_key_required",
  "validation_failed",
  "idempotency_in_progress",
  "idempotency_mismatch",
];

/** The codes that every call with a token can get, in the order of the checks. */
function listGates({ ability, bucket, whilePending, whilePaused }: ListedRoute): string[] {
  const codes = ["unauthenticated", "owner_suspended", "agent_suspended"];
  if (!whilePending) codes.push("agent_pending_claim");
  if (ability !== "any") codes.push("missing_ability");
  if (bucket === "writes" && !whilePaused) codes.push("agent_paused");
  // What a route does not know is refused, in its query and in its body.
  return [...codes, "validation_failed"];
}

function statusOf(code: string): number {
  const status = Object.entries(ERROR_STATUS).find(([name]) => name === code)?.[1];
  if (status === undefined)
    throw new Error(`a route names the code ${code}, which the table of errors lacks`);
  return status;
}
