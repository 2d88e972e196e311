import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "..");
const PAGES = join(ROOT, "api/docs");
// A name is looked for where it has two words: one word stands in any text.
const MEMBER = /`((?:[a-z_]+(?:\[[a-z]*\])?\.)*[a-z_]+)`/g;
// Programs and files of others, and names that a metric or a count is put together of.
const OTHERS = /^(?:pg_dump|as_service|claude_desktop_config|broadsheet_\w+|rung_\w+)$/;

function listProductNames(): Set<string> {
  const folders = ["api", "shared", "sql", "workers", "cli", "client"];
  const listed = execFileSync("git", ["ls-files", ...folders], { cwd: ROOT, encoding: "utf8" });
  const files = listed.split("\n").filter((file) => /\.(?:ts|m?js|sql|json)$/.test(file));
  return new Set(files.flatMap((file) => readFileSync(join(ROOT, file), "utf8").match(/\w+/g) ?? []));
}

test("a member that a page names is one that the product has", () => {
  const names = listProductNames();
  const unknown = readdirSync(PAGES).flatMap((page) => {
    const spans = readFileSync(join(PAGES, page), "utf8").matchAll(MEMBER);
    const named = [...spans].flatMap(([, path = ""]) => path.match(/[a-z]+(?:_[a-z]+)+/g) ?? []);
    return named
      .filter((name) => !names.has(name) && !OTHERS.test(name))
      .map((name) => `${page} names ${name}`);
  });
  expect(unknown).toEqual([]);
});
