import { toUlid } from "./ids.ts";

/** Every code of the specification's table with its HTTP status. */
export const ERROR_STATUS = {
  unauthenticated: 401,
  missing_ability: 403,
  forbidden: 403,
  network_blocked: 403,
  agent_pending_claim: 403,
  agent_paused: 403,
  agent_suspended: 403,
  owner_suspended: 403,
  owner_inactive: 403,
  agent_not_active: 403,
  publishing_blocked: 403,
  not_found: 404,
  enrollment_invalid: 422,
  enrollment_consumed: 409,
  enrollment_expired: 409,
  enrollment_revoked: 409,
  quota_exhausted: 409,
  token_quota: 409,
  idempotency_key_required: 422,
  idempotency_in_progress: 409,
  idempotency_mismatch: 409,
  precondition_required: 428,
  version_mismatch: 412,
  validation_failed: 422,
  revision_changed: 409,
  invalid_revision_state: 409,
  already_published: 409,
  not_published: 409,
  publication_not_eligible: 409,
  publication_limit: 409,
  update_limit: 409,
  revision_limit: 409,
  revision_content_removed: 409,
  revision_files_deleted: 409,
  asset_in_use: 409,
  asset_count_exhausted: 409,
  asset_processing_limit: 409,
  storage_quota_exhausted: 409,
  not_tabular: 409,
  table_required: 409,
  too_large_to_read: 409,
  rate_limited: 429,
  server_error: 500,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS | "http_error";

const NETWORK_FAILURES: ReadonlySet<string> = new Set([
  "EAI_AGAIN",
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EPIPE",
  "ETIMEDOUT",
]);

/**
 * Whether a network fails for a while: a name that cannot be looked up, a way or a connection that is lost, a socket that
 * is not in its folder.
 */
export function isNetworkFailure(error: Error): boolean {
  const code = "code" in error ? String(error.code) : "";
  return NETWORK_FAILURES.has(code) || ("syscall" in error && error.syscall === "connect");
}

/** Sentences by the name of the field, parameter or argument that they are about. */
export type FieldErrors = Record<string, string[]>;

/** Who can mend what is refused; nobody where only time does. */
export type Mender = "agent" | "owner" | "operator" | "nobody";

/** What a refusal of fields advises where nothing better is known. */
export const CORRECT_FIELDS = "Correct the named fields and send the complete request again.";

/** A refusal with a stable code; any other thrown error is a bug and answers 500. */
export class Refusal extends Error {
  override name = "Refusal";
  readonly code: ErrorCode;
  readonly status: number;
  readonly errors: FieldErrors;
  readonly hint: string | null;
  /** Seconds after which the same request may succeed; null when only a correction helps. */
  readonly retryAfterSeconds: number | null;
  /** The methods that the address allows; null where the refusal is not about the method. */
  readonly allow: readonly string[] | null;
  /** Who can mend it, where that is not who usually mends what has this code. */
  readonly who: Mender | null;
  /** Members that stand in the body beside those of every refusal, such as a plan to read a file. */
  readonly beside: Readonly<Record<string, unknown>>;
  /** Whether it is about an unlisted work, which no search engine lists. */
  noindex = false;

  constructor(
    code: ErrorCode,
    message: string,
    more: {
      status?: number;
      errors?: FieldErrors;
      hint?: string;
      retryAfterSeconds?: number;
      allow?: readonly string[];
      who?: Mender;
      beside?: Readonly<Record<string, unknown>>;
    } = {},
  ) {
    super(message);
    this.code = code;
    this.status = more.status ?? (code === "http_error" ? 400 : ERROR_STATUS[code]);
    this.errors = more.errors ?? {};
    this.hint = more.hint ?? null;
    this.retryAfterSeconds = more.retryAfterSeconds ?? null;
    this.allow = more.allow ?? null;
    this.who = more.who ?? null;
    this.beside = more.beside ?? {};
  }
}

/** An unusable value of the environment; the message names the variable and the fix. */
export class ConfigError extends Error {
  override name = "ConfigError";
}

/** A refusal by code alone, for codes whose sentence is always the same. */
export function refuse(code: ErrorCode, message: string, hint?: string): Refusal {
  return new Refusal(code, message, hint === undefined ? {} : { hint });
}

/** 404: there is nothing of the kind. */
export function notFound(what: string): Refusal {
  return refuse("not_found", `There is no such ${what}.`, "Check the address or id.");
}

/** What was looked for; throws 404 where there is none. */
export function orNotFound<Found>(what: string, found: Found | null): Found {
  if (found === null) throw notFound(what);
  return found;
}

/** 404: missing, or another agent's; both answers are the same. */
export function notYours(what: string): Refusal {
  const hint = "Check the address or id; what belongs to another agent answers like this too.";
  return refuse("not_found", `There is no such ${what}.`, hint);
}

/** 404: a work has no such revision; `newest` is the number of the last one that its reader may know. */
export function noRevision(what: "revision" | "published revision", newest: number): Refusal {
  return refuse("not_found", `There is no such ${what}.`, `The newest is number ${newest}.`);
}

/** What stands under an id of a request; throws `not_found` where that is none, or nothing stands there. */
export async function getById<Found>(
  what: string,
  id: unknown,
  find: (ulid: string) => Promise<Found | null>,
  refusal = notFound,
): Promise<Found> {
  const ulid = toUlid(id);
  const found = ulid === null ? null : await find(ulid);
  if (found === null) throw refusal(what);
  return found;
}

/** The refusal of one member or parameter, by the sentence that says what is wrong with it. */
export function refuseField(field: string, sentence: string, hint?: string): Refusal {
  return validationFailed({ [field]: [sentence] }, hint);
}

/** 422 with all field problems; the message is the first one with the count of the others. */
export function validationFailed(errors: FieldErrors, hint?: string): Refusal {
  const sentences = Object.values(errors).flat();
  const others = sentences.length - 1;
  const tail = others > 0 ? ` (and ${others} more ${others === 1 ? "error" : "errors"})` : "";
  return new Refusal("validation_failed", `${sentences[0] ?? "The request is not valid."}${tail}`, {
    errors,
    hint: hint ?? CORRECT_FIELDS,
  });
}

/** Throws 422 with all field problems, if there are any. */
export function refuseFaults(errors: FieldErrors): void {
  if (Object.keys(errors).length > 0) throw validationFailed(errors);
}

/** 412: the resource has a newer version; names the version to use. */
export function versionMismatch(what: string, lockVersion: number): Refusal {
  return new Refusal(
    "version_mismatch",
    `The ${what} changed. Read it again and use lock_version ${lockVersion}.`,
  );
}

/** What a caller does about a failure that has no code of its own. */
const HTTP_HINTS: Readonly<Record<number, string>> = {
  400: "Nothing was done. Mend what the message names, and send it again.",
  413: "Nothing was done. Send less at once.",
  415: "Nothing was done. Send the body in the form that the message names.",
};

/** An HTTP failure that has no code of its own (400, 405, 415, 503 …). */
export function httpError(status: number, message: string, retryAfterSeconds?: number): Refusal {
  const hint = HTTP_HINTS[status];
  return new Refusal("http_error", message, {
    status,
    ...(hint !== undefined && { hint }),
    ...(retryAfterSeconds && { retryAfterSeconds }),
  });
}

/** The refusal of a request that is turned away before any work. */
export function tooMuchToDo(retryAfterSeconds: number | undefined): Refusal {
  return httpError(
    503,
    "There is too much to do at the moment; send the same request again.",
    retryAfterSeconds,
  );
}

/** Notes a fault of a name that a stranger chose; set as usual, that of `__proto__` would be lost. */
export function addFault(errors: FieldErrors, name: string, sentence: string): void {
  const value = [sentence];
  Object.defineProperty(errors, name, { value, enumerable: true, writable: true, configurable: true });
}
