/** The form of an id in a request: a ULID in any case. */
export const ULID = /^[0-7][0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]{25}$/;

/** A ULID in the upper case that rows hold, or null for any other value. */
export function toUlid(text: unknown): string | null {
  return typeof text === "string" && ULID.test(text) ? text.toUpperCase() : null;
}

/** Sixteen bytes, given in hexadecimal digits, in the form of a UUID. */
export function spellUuid(digits: string): string {
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
