import { refuseField } from "../../ground/errors.ts";
import { countCodePoints, findSingleLineFault, takeCodePoints } from "../../ground/text.ts";

// Each dot of the host ends one label, so a long text is read once.
const EMAIL = /^[^\s\p{Cc}@<>"(),:;\\[\]]+@[^\s\p{Cc}@<>"(),:;\\[\].]+(?:\.[^\s\p{Cc}@<>"(),:;\\[\].]+)+$/u;
const MOST_EMAIL_CHARACTERS = 254;

/** An e-mail address in stored form: lowercase, trimmed; null for any other text. */
export function toEmail(given: string): string | null {
  const email = given.trim().toLowerCase();
  return countCodePoints(email) <= MOST_EMAIL_CHARACTERS && EMAIL.test(email) ? email : null;
}

/** An e-mail address in stored form; throws 422 on `email`, or on the field of another name. */
export function readEmail(given: string, field = "email"): string {
  const email = toEmail(given);
  if (email === null) throw refuseField(field, "The email must be an address such as nora@example.org.");
  return email;
}

/** A one-line name that an owner chose; throws 422 on its field. */
export function readName(field: string, given: string, limit: number): string {
  const name = given.trim();
  const fault = findSingleLineFault(name);
  if (fault !== null) throw refuseField(field, `The ${field} ${fault}.`);
  const length = countCodePoints(name);
  if (length < 1 || length > limit)
    throw refuseField(field, `The ${field} must have 1 to ${limit} characters.`);
  return name;
}

/** The public name of an owner; throws 422 on `alias`. */
export function readAlias(given: string): string {
  return readName("alias", given, 40);
}

/** A browser's User-Agent, cut and without anything but plain text; null where it sends none. */
export function readUserAgent(given: string | undefined): string | null {
  const text = takeCodePoints((given ?? "").replace(/[^\x20-\x7e]/g, ""), 300).trim();
  return text === "" ? null : text;
}

const REASON_CHARACTERS = 500;

/** The reason for an act of a moderator or an operator, as one line; throws 422 on `reason`. */
export function readReason(given: string | undefined): string {
  const lines = (given ?? "").split(/[\r\n]/).map((line) => line.trim());
  const reason = lines.filter((line) => line !== "").join(" ");
  if (reason === "") throw refuseField("reason", "Say why: the owner reads it, and it is kept.");
  return readName("reason", reason, REASON_CHARACTERS);
}
