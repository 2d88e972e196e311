import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { findHandleFault, isHandle } from "../../../shared/requests/ids.ts";

const ROOT = resolve(import.meta.dirname, "../../..");

/** What the database's own constraint admits. */
function isStorable(): (text: string) => boolean {
  const migration = readFileSync(join(ROOT, "sql/migrations/0100_baseline.sql"), "utf8");
  const [, pattern] = /handle ~ '([^']+)' AND handle NOT LIKE '%--%'/.exec(migration) ?? [];
  if (pattern === undefined) throw new Error("the migration says nothing of handles");
  const stored = new RegExp(pattern);
  return (text) => stored.test(text) && !text.includes("--");
}

test("a handle is a handle for requests, for lookups and for the database alike", () => {
  const storable = isStorable();
  const near = fc.string({ unit: fc.constantFrom("a", "z", "0", "9", "-"), maxLength: 34 });
  const any = fc.string({ unit: "binary", maxLength: 34 });
  const edges = ["ab", "abc", "a".repeat(30), "a".repeat(31), "a--b", "-ab", "ab-", "abc\n"];
  fc.assert(
    fc.property(fc.oneof(near, any, fc.constantFrom(...edges)), (text) => {
      expect([text, isHandle(text)]).toEqual([text, storable(text)]);
      expect([text, findHandleFault(text) === null]).toEqual([text, storable(text)]);
    }),
  );
});

test("a reserved name is refused to a new agent and still looked up", () => {
  expect(findHandleFault("well-known")).toBe("The handle well-known is reserved; choose another one.");
  expect(isHandle("well-known")).toBe(true);
});

test("no file holds a pattern of handles or slugs of its own", () => {
  const home = "shared/requests/slugs.ts";
  const files = globSync("{api,shared,workers,cli}/**/*.ts", { cwd: ROOT });
  const own = /\[a-z0-9-\]\{\d+,(?:28|30|40|80)\}|\(\?:-\[a-z0-9\]\+\)\*/;
  expect(files.filter((file) => own.test(readFileSync(join(ROOT, file), "utf8")))).toEqual([home]);
});
