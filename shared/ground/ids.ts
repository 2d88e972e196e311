import { randomFillSync } from "node:crypto";

/** The form of an id in a request: a ULID in any case. */
export const ULID = /^[0-7][0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]{25}$/;

/** A ULID in the upper case that rows hold, or null for any other value. */
export function toUlid(text: unknown): string | null {
  return typeof text === "string" && ULID.test(text) ? text.toUpperCase() : null;
}

const DRAWN_BYTES = 4_096;

/**
 * Returns a source of secure random numbers from 0 to under 1, in 256 steps; it draws many bytes at once and
 * uses each once.
 */
export function openRandomFractions(): () => number {
  const drawn = new Uint8Array(DRAWN_BYTES);
  let next = DRAWN_BYTES;
  return () => {
    if (next === DRAWN_BYTES) {
      randomFillSync(drawn);
      next = 0;
    }
    const byte = drawn[next] ?? 0;
    // A used byte names a row, so it is erased.
    drawn[next++] = 0;
    return byte / 256;
  };
}
