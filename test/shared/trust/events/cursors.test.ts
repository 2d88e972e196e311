import fc from "fast-check";
import { expect, test } from "vitest";
import { readCursor, toCursor } from "../../../../shared/trust/events/read-events.ts";
import "../../../support/fixed-seed.ts";

const position = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });

test("every position is read back from its cursor, which has no more than 64 characters", () => {
  fc.assert(
    fc.property(position, (at) => {
      expect(readCursor(toCursor(at))).toBe(at);
      expect(toCursor(at).length).toBeLessThanOrEqual(64);
    }),
  );
});

test("a cursor with one character changed is none", () => {
  const character = fc.constantFrom(..."0123456789abcdefghijklmnopqrstuvwxyz-");
  fc.assert(
    fc.property(position, fc.nat(), character, (at, place, other) => {
      const cursor = toCursor(at);
      const here = place % cursor.length;
      const changed = cursor.slice(0, here) + other + cursor.slice(here + 1);
      if (changed !== cursor) expect(readCursor(changed)).toBeNull();
    }),
  );
});

test("whatever is no cursor is none", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 80 }), (text) => {
      const read = readCursor(text);
      if (read !== null) expect(toCursor(read)).toBe(text);
    }),
  );
});
