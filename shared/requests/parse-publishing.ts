import { ULID } from "../ground/ids.ts";
import { DAY_MS, toIso } from "../ground/times.ts";
import { addProblem, conclude, type Outcome, type Problems } from "./explain.ts";
import type { PublicVisibility } from "./publishing.ts";
import { blankToNull, isLeftOut, isRecord, readRequest, takeEither } from "./read-body.ts";
import { schemasFor } from "./schemas.ts";

/** The revision to publish, null for the latest one, and its visibility; null keeps the current one. */
export interface PublishRequest {
  revisionId: string | null;
  visibility: PublicVisibility | null;
}

/** The revision to publish at a time. */
export interface ScheduleRequest extends PublishRequest {
  publishMs: number;
}

/** The revision whose content is published again. */
export interface RestoreRequest {
  /** Its id, or its number. */
  revision: string | number;
  visibility: PublicVisibility;
  changeSummary: string | null;
  correction: boolean;
}

/** Reads the body of POST /creations/{creation}/publish. Never throws. */
export function parsePublishRequest(body: unknown): Outcome<PublishRequest> {
  const problems: Problems = new Map();
  const sent = readRequest(schemasFor().publish, body, problems);
  return conclude(problems, sent && toPublish(sent));
}

function toPublish(sent: {
  revision_id?: string | null;
  visibility?: PublicVisibility | null;
}): PublishRequest {
  return { revisionId: sent.revision_id ?? null, visibility: sent.visibility ?? null };
}

/** The times at which a schedule may be set for. */
export interface ScheduleWindow {
  nowMs: number;
  days: number;
}

/**
 * Reads the body of POST /creations/{creation}/schedule; the time must lie within the next `days` days. Never
 * throws.
 */
export function parseScheduleRequest(body: unknown, window: ScheduleWindow): Outcome<ScheduleRequest> {
  const problems: Problems = new Map();
  const sent = readRequest(schemasFor().schedule, body, problems);
  // The time itself is valid; its window is checked although another member may be wrong.
  if (isRecord(body)) checkWindow(body.publish_at, [], window, problems);
  return conclude(problems, sent && { ...toPublish(sent), publishMs: toMs(sent.publish_at) });
}

function toMs(time: unknown): number {
  return Date.parse(String(time));
}

/** What a save does beside saving: it publishes, it schedules, or neither. */
export interface Release {
  publish: Pick<PublishRequest, "visibility"> | null;
  schedule: Pick<ScheduleRequest, "visibility" | "publishMs"> | null;
}

interface SentRelease {
  publish: { visibility?: PublicVisibility | null } | null;
  schedule: { publish_at: string; visibility?: PublicVisibility | null } | null;
}

/** Reads the valid members `publish` and `schedule` of a save. */
export function toRelease({ publish, schedule }: SentRelease): Release {
  return {
    publish: publish && { visibility: publish.visibility ?? null },
    schedule: schedule && { visibility: schedule.visibility ?? null, publishMs: toMs(schedule.publish_at) },
  };
}

/** Checks what no schema says of `publish` and `schedule` beside a payload. */
export function checkRelease(
  { publish, schedule }: { publish?: unknown; schedule?: unknown },
  window: ScheduleWindow,
  problems: Problems,
): void {
  if (publish !== undefined && schedule !== undefined) {
    for (const name of ["publish", "schedule"])
      addProblem(problems, name, "Send publish or schedule, not both.");
  }
  if (isRecord(schedule)) checkWindow(schedule.publish_at, ["schedule"], window, problems);
}

/** Checks the window of a member publish_at, unless the time itself has a problem. */
function checkWindow(
  time: unknown,
  inside: readonly string[],
  { nowMs, days }: ScheduleWindow,
  problems: Problems,
): void {
  const field = [...inside, "publish_at"].join(".");
  if (problems.has(field)) return;
  const publishMs = toMs(time);
  if (publishMs <= nowMs) {
    const now = `the service's time is ${toIso(nowMs)}`;
    addProblem(problems, field, `The publish_at must lie in the future; ${now}.`);
  } else if (publishMs > nowMs + days * DAY_MS) {
    addProblem(problems, field, `The publish_at must lie within the next ${days} days.`);
  }
}

/** Reads the body of POST /creations/{creation}/visibility. Never throws. */
export function parseVisibilityRequest(body: unknown): Outcome<PublicVisibility> {
  const problems: Problems = new Map();
  const sent = readRequest(schemasFor().visibility, body, problems);
  return conclude(problems, sent?.visibility ?? null);
}

/**
 * Reads the body of POST /creations/{creation}/restore; a restored creation is public unless it says
 * otherwise. Never throws.
 */
export function parseRestoreRequest(body: unknown): Outcome<RestoreRequest> {
  const problems: Problems = new Map();
  const sent = readRequest(schemasFor().restore, body, problems);
  if (isRecord(body) && body.correction === true && isLeftOut(body.change_summary)) {
    addProblem(
      problems,
      "change_summary",
      "The change_summary is required with correction: say which error is mended.",
    );
  }
  if (sent === null) return conclude<RestoreRequest>(problems, null);
  const {
    revision_id: key,
    visibility,
    change_summary: changeSummary = null,
    correction,
  } = blankToNull(sent);
  const revision = ULID.test(String(key)) ? String(key).toUpperCase() : Number(key);
  const how = { visibility: visibility ?? "public", correction: correction ?? false } as const;
  return conclude(problems, { revision, ...how, changeSummary });
}

/** Reads the body of POST /agent/profile/publish, which may call the revision `id`. Never throws. */
export function parseProfilePublishRequest(body: unknown): Outcome<Pick<PublishRequest, "revisionId">> {
  const problems: Problems = new Map();
  const { id: _, ...others } = isRecord(body) ? body : {};
  const members = isRecord(body)
    ? { ...others, revision_id: takeEither(body, ["revision_id", "id"], problems) }
    : body;
  const sent = readRequest(schemasFor().profilePublish, members, problems);
  return conclude(problems, sent && { revisionId: sent.revision_id ?? null });
}
