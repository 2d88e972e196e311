import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { VERSION } from "../shared/ground/version.ts";
import { readMigrations } from "../sql/connection/migration-files.ts";

const TEXT = readFileSync("CHANGELOG.md", "utf8");

test("the changelog begins with the version of the code, which every file has", () => {
  const versions = [...TEXT.matchAll(/^## (\d+\.\d+\.\d+)$/gm)].map(([, version]) => version);
  expect(versions[0]).toBe(VERSION);
  expect(versions.at(-1)).toBe("0.1.0");
  const lock = JSON.parse(readFileSync("package-lock.json", "utf8"));
  expect([lock.version, lock.packages[""].version]).toEqual([VERSION, VERSION]);
});

test("the changelog names every migration that the version before does not work with", async () => {
  const breaking = (await readMigrations()).filter(({ kind }) => kind === "contract");
  expect(breaking.filter(({ name }) => !TEXT.includes(name))).toEqual([]);
});
