import { type FieldErrors, validationFailed } from "../errors.ts";
import { toUlid } from "../ids.ts";

export type PublicVisibility = "public" | "unlisted";

/** Which revision is to go live, and how it is to be seen; null leaves that as it is. */
export interface PublishOrder {
  revisionId: string;
  visibility: PublicVisibility | null;
}

/** Reads `{revision_id, visibility?}`; throws 422 naming every member that is wrong. */
export function readPublishOrder(body: unknown): PublishOrder {
  const { members, errors } = readMembers(body, ["revision_id", "visibility"]);
  const revisionId = readRevisionId(members.revision_id, errors);
  const visibility = readVisibility(members.visibility ?? null, errors);
  return finish({ revisionId, visibility }, errors);
}

/** Reads `{revision_id, publish_at, visibility?}`; the time must lie within the next `mostDays` days. */
export function readScheduleOrder(
  body: unknown,
  bounds: { nowMs: number; mostMs: number },
): PublishOrder & { publishMs: number } {
  const { members, errors } = readMembers(body, ["revision_id", "publish_at", "visibility"]);
  const revisionId = readRevisionId(members.revision_id, errors);
  const visibility = readVisibility(members.visibility ?? null, errors);
  const publishMs = readPublishAt(members.publish_at, bounds, errors);
  return finish({ revisionId, visibility, publishMs }, errors);
}

/** Reads `{revision_id, visibility?, change_summary?}`; a restored creation is public unless told otherwise. */
export function readRestoreOrder(
  body: unknown,
  readSummary: (value: unknown, errors: FieldErrors) => string | null,
): { revisionId: string; visibility: PublicVisibility; changeSummary: string | null } {
  const { members, errors } = readMembers(body, ["revision_id", "visibility", "change_summary"]);
  const revisionId = readRevisionId(members.revision_id, errors);
  const visibility = readVisibility(members.visibility ?? null, errors) ?? "public";
  return finish(
    { revisionId, visibility, changeSummary: readSummary(members.change_summary, errors) },
    errors,
  );
}

/** Reads `{visibility}`. */
export function readVisibilityOrder(body: unknown): PublicVisibility {
  const { members, errors } = readMembers(body, ["visibility"]);
  if (members.visibility == null) errors.visibility = ["The visibility is required: public or unlisted."];
  const visibility = readVisibility(members.visibility ?? null, errors);
  return finish({ visibility: visibility ?? "public" }, errors).visibility;
}

/** An address that takes no body accepts none, or an empty object. */
export function readNothing(body: unknown): void {
  finish({}, readMembers(body, []).errors);
}

function readMembers(body: unknown, allowed: readonly string[]) {
  const errors: FieldErrors = {};
  const isObject = typeof body === "object" && body !== null && !Array.isArray(body);
  if (!isObject && body !== undefined) errors.body = ["The body must be a JSON object."];
  const members = (isObject ? body : {}) as Record<string, unknown>;
  const list = allowed.length === 0 ? "this address takes none" : `allowed: ${allowed.join(", ")}`;
  for (const name of Object.keys(members).slice(0, 20)) {
    if (!allowed.includes(name)) errors[name] = [`There is no member ${name}; ${list}.`];
  }
  return { members, errors };
}

function finish<Order>(order: Order, errors: FieldErrors): Order {
  if (Object.keys(errors).length > 0) throw validationFailed(errors);
  return order;
}

function readRevisionId(sent: unknown, errors: FieldErrors): string {
  const revisionId = toUlid(sent);
  if (sent == null) errors.revision_id = ["The revision_id is required."];
  else if (revisionId === null) errors.revision_id = ["The revision_id must be a ULID."];
  return revisionId ?? "";
}

function readVisibility(sent: unknown, errors: FieldErrors): PublicVisibility | null {
  if (sent === null || sent === "public" || sent === "unlisted") return sent;
  errors.visibility = ["The visibility must be public or unlisted."];
  return null;
}

// RFC 3339 with capital letters and a zone, no leap second.
const MOMENT =
  /^(\d{4})-(\d\d)-(\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

function readPublishAt(
  sent: unknown,
  { nowMs, mostMs }: { nowMs: number; mostMs: number },
  errors: FieldErrors,
): number {
  const moment = typeof sent === "string" ? parseTimestamp(sent) : null;
  if (sent == null) errors.publish_at = ["The publish_at is required, such as 2027-01-31T18:00:00Z."];
  else if (moment === null) {
    errors.publish_at = ["The publish_at must be a time with a zone, such as 2027-01-31T18:00:00Z."];
  } else if (moment <= nowMs) errors.publish_at = ["The publish_at must lie in the future."];
  else if (moment > mostMs) {
    const days = Math.round((mostMs - nowMs) / 86_400_000);
    errors.publish_at = [`The publish_at must lie within the next ${days} days.`];
  }
  return moment ?? 0;
}

/** Epoch milliseconds of a strict RFC 3339 time; null for anything else, February 30 included. */
function parseTimestamp(text: string): number | null {
  const [, year, month, day] = MOMENT.exec(text) ?? [];
  if (year === undefined || month === undefined || day === undefined) return null;
  const lastDay = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  const exists = Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= lastDay;
  const moment = Date.parse(text);
  return exists && Number.isFinite(moment) ? moment : null;
}
