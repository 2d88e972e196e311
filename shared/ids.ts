import { randomFillSync } from "node:crypto";

/** The form of an id in a request: a ULID in any case. */
export const ULID = /^[0-7][0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]{25}$/;

/** A ULID in the upper case that rows hold, or null when the text is none. */
export function toUlid(text: unknown): string | null {
  return typeof text === "string" && ULID.test(text) ? text.toUpperCase() : null;
}

const DRAWN_BYTES = 4_096;

/** Gives secure random numbers from 0 to under 1, in 256 steps: bytes drawn many at once, each used once. */
export function openRandomFractions(): () => number {
  const drawn = new Uint8Array(DRAWN_BYTES);
  let next = DRAWN_BYTES;
  return () => {
    if (next === DRAWN_BYTES) {
      randomFillSync(drawn);
      next = 0;
    }
    const byte = drawn[next] ?? 0;
    // What names a row is kept nowhere else.
    drawn[next++] = 0;
    return byte / 256;
  };
}
