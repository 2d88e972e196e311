import { validationFailed } from "../../ground/errors.ts";
import { askWhetherMeant } from "../../ground/nearest-name.ts";
import { checkIfMatch } from "../../identity/writes/if-match.ts";
import { attempt, type Judge } from "../../identity/writes/judge.ts";
import { BESIDE_MEMBERS, ENVELOPE_MEMBERS, isRecord } from "../../requests/read-envelope.ts";

/** Members of a check that the call behind it does not take. */
const OWN_MEMBERS = ["action", "lock_version"];
const MEMBERS_OF_CALLS: ReadonlySet<string> = new Set([
  ...[...ENVELOPE_MEMBERS, ...BESIDE_MEMBERS, "payload", "changes"],
  ...["revision_id", "visibility", "publish_at"],
]);

/** Asks whether a member of the check itself was meant by a field that its call does not know. */
export function hintAtOwnMember(field: string): string | null {
  const isOfCall = MEMBERS_OF_CALLS.has(field) || field.includes(".");
  return (isOfCall ? "" : askWhetherMeant(field, OWN_MEMBERS).trim()) || null;
}

/** A body without its `lock_version`, which a check takes in place of If-Match. */
export function takeVersion(body: unknown): { sent: unknown; body: unknown } {
  if (!isRecord(body)) return { sent: null, body };
  const { lock_version: sent = null, ...rest } = body;
  return { sent, body: rest };
}

/** Tells the judge where a sent version is not the one in force; none is sent where nobody wants it compared. */
export async function judgeVersion(
  judge: Judge,
  sent: unknown,
  { what, lockVersion }: { what: string; lockVersion: number },
): Promise<void> {
  if (sent === null) return;
  const version = typeof sent === "string" && sent.trim() !== "" ? Number(sent) : sent;
  if (!Number.isSafeInteger(version)) {
    return judge(validationFailed({ lock_version: ["The lock_version must be a whole number."] }));
  }
  await attempt(judge, () => checkIfMatch(String(version), what, lockVersion));
}
