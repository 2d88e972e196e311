import { globSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { expect, test } from "vitest";
import { HOOKS, mayOpenShortCut } from "../../../../api/http/page-cache/hooks.ts";
import type { Deps } from "../../../../shared/platform/deps.ts";
import { captureLog } from "../../../support/log-lines.ts";

const EVENTS =
  /addHook\(\s*"(onRequest|preParsing|preValidation|preHandler|preSerialization|onSend|onResponse|onError|onTimeout|onRequestAbort)"/g;

test("every hook of a request stands in the list once, with how the short cut honours it", () => {
  const placed = globSync("api/**/*.ts").flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(EVENTS)].map(([, event]) => `${basename(file, ".ts")} ${event}`),
  );
  const listed = HOOKS.filter(({ plugin }) => plugin !== "fastify").map(
    ({ plugin, event }) => `${plugin} ${event}`,
  );
  expect(placed.length).toBeGreaterThan(8);
  expect(listed.sort()).toEqual(placed.sort());
  expect(HOOKS.filter(({ honoured }) => !/\.$/.test(honoured))).toEqual([]);
});

test("the switch closes the short cut, and no log does: it writes the line of a request too", () => {
  const open = (pageShortCut: boolean, level: string) =>
    mayOpenShortCut({ config: { pageShortCut }, log: captureLog(level).log } as Deps);
  expect(open(true, "info")).toBe(true);
  expect(open(false, "info")).toBe(false);
  expect(open(true, "debug")).toBe(true);
});
