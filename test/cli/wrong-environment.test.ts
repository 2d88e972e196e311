import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startProcess } from "../support/service-process.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const FOLDER = "/nowhere/broadsheet";

/** Runs an entry file with wrong variables to its end. */
async function runWrong(entry: string, args: readonly string[] = []) {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const wrong = { TRUST_PROXY: "yes", PORT: " ", SITE_URL: "https://example.org/news", LIMIT_CREATION: "9" };
  const started = startProcess({
    command: process.execPath,
    args: [join(ROOT, entry), ...args],
    env: { PATH, NODE_COMPILE_CACHE, DATA_DIR: FOLDER, ...wrong },
  });
  const { code } = await started.ended;
  return { code, told: started.stderr() };
}

test.each([
  ["cli/start.ts"],
  ["api/main.ts"],
  ["workers/main.ts"],
  ["cli/migrate.ts"],
  ["cli/main.ts", "sweep"],
])("%s tells every wrong variable and what it takes, and starts nothing", async (entry, ...args) => {
  const { code, told } = await runWrong(entry, args);
  expect(code).toBe(1);
  expect(told).toContain("PORT cannot be used: a port number from 0 to 65535.");
  expect(told).toMatch(/SITE_URL cannot be used: it has a path, [^.]+\. Write https:\/\/example\.org\./);
  expect(told).toMatch(/TRUST_PROXY cannot be used: true, false, or a list .+\. Did you mean true\?/);
  expect(told).toContain("Did you mean LIMIT_CREATIONS?");
  expect(existsSync(FOLDER)).toBe(false);
});

test.each([
  ["cli/start.ts", "npm start"],
  ["api/main.ts", "npm run api"],
])("%s refuses words, which it would not read", async (entry, command) => {
  const { code, told } = await runWrong(entry, ["--port", "8080"]);
  expect([code, told]).toEqual([1, expect.stringContaining(`${command} takes no words, and got --port.`)]);
});

test("the workers ask for the one that was meant", async () => {
  const { code, told } = await runWrong("workers/main.ts", ["inspekt"]);
  expect([code, told]).toEqual([1, expect.stringContaining("Did you mean inspect?")]);
});
