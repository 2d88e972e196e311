const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/i;

/** A ULID in the upper case that rows hold, or null when the text is none. */
export function toUlid(text: unknown): string | null {
  return typeof text === "string" && ULID.test(text) ? text.toUpperCase() : null;
}
