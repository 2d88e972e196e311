import { expect, test } from "vitest";
import { findMissing, readLockfile } from "./support/lockfile.ts";

const packages = readLockfile();

test("the lock file knows every platform's optional packages, or npm ci would refuse it", () => {
  expect(Object.keys(findMissing(packages)), "mend it with: npm run lockfile").toEqual([]);
});

test("the lock file names no registry", () => {
  expect(Object.values(packages).filter((entry) => entry.resolved !== undefined)).toEqual([]);
});
