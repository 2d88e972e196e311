import { deepStrictEqual } from "node:assert";
import { expect, test } from "vitest";
import { inspectContinued } from "../../../../shared/tables/inspection/csv-continued.ts";
import { inspectFile } from "../../../../shared/tables/inspection/inspect.ts";
import { runs } from "../../../support/depth.ts";
import { createRandom, pick, type Random } from "./generated.ts";

async function* inPieces(text: string, size: number) {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** The verdict on a base and its part by the part alone; it has to be that on the whole. Null where it is left out. */
async function compare(base: string, part: string, blockBytes = 64) {
  const from = Buffer.byteLength(base);
  const known = await inspectFile(inPieces(base, 50_000), "csv");
  if (!known.ok || known.inspection === null || known.readingIndex === null)
    throw new Error(`the base is no table: ${JSON.stringify(known)}`);
  const { inspection, hints, readingIndex } = known;
  const stored = JSON.parse(JSON.stringify({ inspection, hints }));
  const bytes = inPieces(part, 97);
  const continued = await inspectContinued({ ...stored, readingIndex }, { bytes, from }, blockBytes);
  const whole = await inspectFile(inPieces(base + part, 50_000), "csv", { partFrom: from });
  if (continued !== null) deepStrictEqual(continued, whole);
  return { continued, whole };
}

const VALUES: readonly (readonly string[])[] = [
  ["1", "-2.5", "007", "1e5", ""],
  ["x", "Zürich", '"a,b"', '"two\nlines"', '"a ""q"""', "東京", ""],
  ["2026-01-31", "2026-02", "2026-01-31T10:00Z", ""],
  ["true", "FALSE", ""],
  ["", '""'],
];
/** Now and then a cell that its column did not have before, or one that no table may have. */
const STRANGE = [
  "1,500",
  "n/a",
  "12.05.2026",
  "x",
  "4",
  '"\r"',
  '"open',
  "%PDF-1.7",
  "\ufeff1",
  "a\u0000",
  "3,4,5",
];

const makeCells = (random: Random, kinds: readonly number[]): string[] =>
  kinds.map((kind) => pick(random, VALUES[kind] as readonly string[]));

function makeRows(random: Random, kinds: readonly number[], count: number, end: string): string[] {
  return Array.from({ length: count }, () => {
    const cells = makeCells(random, kinds);
    // A row of one blank cell is a blank line, which a base must not end with.
    return `${kinds.length === 1 && cells[0] === "" ? '""' : cells.join(",")}${end}`;
  });
}

test("the verdict on a base and a part is that on the whole, or is left to the whole", async () => {
  const random = createRandom(77);
  const found = { continued: 0, left: 0, refused: 0 };
  for (let run = 0; run < runs(4_000, 40); run++) {
    const kinds = Array.from({ length: 1 + Math.floor(random() * 4) }, () =>
      Math.floor(random() * VALUES.length),
    );
    const end = pick(random, ["\n", "\r\n"]);
    const header = kinds.map((_, at) => pick(random, [`c${at}`, `"c\n${at}"`])).join(",");
    const count = pick(random, [3, 10, 12, 400]);
    const base = `${pick(random, ["", "\ufeff"])}${header}${end}${makeRows(random, kinds, count, end).join("")}`;
    const rows = makeRows(random, kinds, Math.floor(random() * 30), end);
    if (random() < 0.3 && rows.length > 0) {
      const at = Math.floor(random() * rows.length);
      const cells = makeCells(random, kinds);
      cells[Math.floor(random() * cells.length)] = pick(random, STRANGE);
      rows[at] = `${cells.join(",")}${end}`;
    }
    const part = random() < 0.3 ? rows.join("").trimEnd() : rows.join("");
    const { continued, whole } = await compare(base, part, pick(random, [16, 64, 65_536]));
    if (continued !== null) found.continued++;
    else if (whole.ok) found.left++;
    else found.refused++;
  }
  expect(found.continued).toBeGreaterThan(runs(4_000, 40) / 3);
  expect(Math.min(found.left, found.refused)).toBeGreaterThan(0);
});

const BASE = `id,note\n${Array.from({ length: 2_000 }, (_, at) => `${at},word ${at}\n`).join("")}`;

test("a part without rows adds none, and one of many rows their places", async () => {
  expect((await compare(BASE, "")).continued).toMatchObject({ rowsAdded: 0 });
  const rows = Array.from({ length: 3_000 }, (_, at) => `${at},other ${at}\n`).join("");
  expect((await compare(BASE, rows)).continued).toMatchObject({ rowsAdded: 3_000 });
});

test.each([
  ["a column that was blank", BASE.replaceAll(/word \d+/g, ""), "2000,12.05.2026\n", true],
  ["another kind of value", BASE, "none,word\n", false],
  ["hints of the base", BASE.replace("0,word 0", "0,1 500"), "2000,word\n", false],
  ["a row too many", BASE, "2000,word,more\n", false],
  ["a byte that is no text", BASE, "2000,\ud800\u0000\n", false],
])("%s is continued or left", async (_name, base, part, isContinued) => {
  expect((await compare(base, part)).continued !== null).toBe(isContinued);
});

test("a base whose index has another form is left to the whole", async () => {
  const known = await inspectFile(inPieces(BASE, 50_000), "csv");
  if (!known.ok || known.inspection === null) throw new Error("the base is no table");
  const base = { inspection: known.inspection, hints: [], readingIndex: Uint8Array.of(0) };
  const part = { bytes: inPieces("1,x\n", 9), from: BASE.length };
  expect(await inspectContinued(base, part)).toBeNull();
});
