import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, test } from "vitest";
import { packClient } from "../../api/http/client-package.ts";
import { BUNDLE, bundleYaml } from "../support/client-yaml.ts";

const files = globSync("client/**/*.js");

test("the YAML library in the client is the one that is installed", async () => {
  expect(readFileSync(BUNDLE, "utf8") === (await bundleYaml()), "npm run client:yaml").toBe(true);
});

test("the client imports nothing but itself and what Node has", () => {
  expect(files.length).toBeGreaterThan(10);
  for (const file of files) {
    const imports = [...readFileSync(file, "utf8").matchAll(/^import (?:[^;]* from )?"([^"]+)";$/gm)];
    const others = imports.flatMap(([, path = ""]) => {
      const isOwn = path.startsWith(".") && files.includes(normalize(join(dirname(file), path)));
      return isOwn || path.startsWith("node:") ? [] : [path];
    });
    expect([file, others]).toEqual([file, []]);
  }
});

test("equal trees make equal packages", () => {
  expect(packClient("https://example.org").equals(packClient("https://example.org"))).toBe(true);
});
