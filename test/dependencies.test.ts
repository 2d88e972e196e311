import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const EXACT = /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?$/;

test.each(["dependencies", "devDependencies"])(
  "every version of %s is exact: what was tried is what is installed",
  (kind) => {
    const versions = Object.entries<string>(manifest[kind]);
    expect(versions.length).toBeGreaterThan(0);
    expect(versions.filter(([, version]) => !EXACT.test(version))).toEqual([]);
  },
);

test("no other way in: nothing is optional, overridden, bundled or taken from a peer", () => {
  for (const member of [
    "optionalDependencies",
    "overrides",
    "resolutions",
    "bundleDependencies",
    "peerDependencies",
  ]) {
    expect(manifest[member]).toBeUndefined();
  }
});
