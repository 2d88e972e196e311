import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { STYLESHEET } from "../../../../shared/text/stylesheets.ts";
import { addressTypeface, TYPEFACES } from "../../../../shared/text/theme/typefaces.ts";

const FOLDER = join(import.meta.dirname, "../../../../shared/text/theme/typefaces");
const faces = Object.values(TYPEFACES).map((face) => ({
  ...face,
  path: addressTypeface(face),
  bytes: readFileSync(join(FOLDER, face.file)),
}));

test("every file of the text face is named with its hash, and its licence lies beside it", () => {
  const hashes = faces.map(({ bytes }) => createHash("sha256").update(bytes).digest("hex").slice(0, 12));
  expect(faces.map(({ hash }) => hash)).toEqual(hashes);
  expect(faces.map(({ path }) => path)).toContain(`/serif-400-${hashes[0]}.woff2`);
  const files = faces.map(({ file }) => file);
  expect(readdirSync(FOLDER).toSorted()).toEqual([...files, "OFL.txt", "subset.py"].toSorted());
});

test("what nearly every page loads stays under 40,000 bytes, and all of it under 60,000", () => {
  const weigh = (list: typeof faces) => list.reduce((sum, { bytes }) => sum + bytes.length, 0);
  expect(faces.every(({ bytes }) => bytes.subarray(0, 4).toString() === "wOF2")).toBe(true);
  expect(weigh(faces.filter(({ rule }) => !rule.includes("unicode-range")))).toBeLessThan(40_000);
  expect(weigh(faces)).toBeLessThan(60_000);
});

test("the stylesheet has a rule for each file, and four stand-ins of the reader's system", () => {
  const rules = STYLESHEET.css.match(/@font-face\{[^}]*\}/g) ?? [];
  expect(rules.flatMap((rule) => /url\(([^)]*)\)/.exec(rule)?.[1] ?? [])).toEqual(
    faces.map(({ path }) => path),
  );
  const standIns = rules.filter((rule) => rule.includes("local("));
  expect(standIns).toHaveLength(4);
  for (const rule of standIns) {
    expect(rule).toMatch(/size-adjust:[\d.]+%;ascent-override:[\d.]+%;descent-override:[\d.]+%\}$/);
  }
});
