import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import { parseAst } from "rolldown/parseAst";
import { expect, test } from "vitest";
import { packClient } from "../../api/http/client-package.ts";
import { BUNDLE, bundleYaml } from "../support/client-yaml.ts";
import { unpackClient } from "./stage.ts";

const IMPORT = /^import (?:[^;]* from )?"([^"]+)";$/gm;
const files = globSync("client/**/*.{js,mjs}");

test("the YAML library in the client is the one that is installed", async () => {
  expect(readFileSync(BUNDLE, "utf8") === (await bundleYaml()), "npm run client:yaml").toBe(true);
});

test("the client imports nothing but itself and what Node has", () => {
  expect(files.length).toBeGreaterThan(10);
  for (const file of files) {
    const imports = [...readFileSync(file, "utf8").matchAll(IMPORT)];
    const others = imports.flatMap(([, path = ""]) => {
      const isOwn = path.startsWith(".") && files.includes(normalize(join(dirname(file), path)));
      return isOwn || path.startsWith("node:") ? [] : [path];
    });
    expect([file, others]).toEqual([file, []]);
  }
});

test("the verifier imports nothing but its own folder and what reads files and hashes them, and has 400 lines at most", () => {
  const own = files.filter((file) => file.startsWith("client/verify/"));
  const texts = own.map((file) => readFileSync(file, "utf8"));
  const text = texts.join("");
  const imported = [...text.matchAll(IMPORT)].map(([, path]) => path);
  const known = ["node:crypto", "node:fs", "node:path", "node:url", "node:util", "./proof.mjs", "./work.mjs"];
  expect([...new Set(imported)].toSorted()).toEqual(known.toSorted());
  expect(text).not.toMatch(/\bfetch\b|\bimport\(|https?:|\+A[\w+/]{43}/);
  expect(text.trimEnd().split("\n").length).toBeLessThanOrEqual(400);
});

test("equal trees make equal packages", () => {
  expect(packClient("https://example.org").equals(packClient("https://example.org"))).toBe(true);
});

/** What a program says, without the places where it says so. */
function treeOf(path: string): string {
  const place = new Set(["start", "end"]);
  return JSON.stringify(parseAst(readFileSync(path, "utf8")), (name, value) =>
    place.has(name) ? undefined : typeof value === "bigint" ? `${value}` : value,
  );
}

test("a file says in the package what it says in the tree", async () => {
  const folder = dirname(await unpackClient("https://example.org"));
  const changed = files.filter((file) => treeOf(join(folder, relative("client", file))) !== treeOf(file));
  expect(changed).toEqual([]);
});
