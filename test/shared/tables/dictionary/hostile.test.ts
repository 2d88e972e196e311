import { expect, test } from "vitest";
import { runs } from "../../../support/depth.ts";
import { createRandom, pick, type Random } from "../inspection/generated.ts";
import { prepareFile } from "../rows/reading.ts";
import { findFaults } from "./checking.ts";

const DICTIONARIES = runs(10_000, 40);
const NAMES = [
  "__proto__",
  "constructor",
  "toString",
  'q"uote',
  "it's",
  "x[0]",
  "a.b",
  "two\nlines",
  "ä😀",
  "",
];
const ROW = Object.fromEntries(NAMES.map((name, at) => [name, at % 3 === 0 ? at : `t${at}`]));
const LISTS = JSON.stringify({
  ["__proto__"]: 1,
  first: [ROW, { ...ROW, constructor: null }, { "x[0]": 1e300, toString: true }],
  second: [{ a: [1], b: { c: 1 } }, { a: "2026-01-01" }],
});
const CSV = `${NAMES.filter(Boolean)
  .map((name) => `"${name.replaceAll('"', '""')}"`)
  .join(",")}\n1,2,3,4,5,6,7,8,9\n1e999999,-0,NA,,5,2026-01-01,2026-01,x,9\n`;
const json = await prepareFile(LISTS, "json");
const csv = await prepareFile(CSV, "csv");

const BOUNDS = [
  0,
  -0,
  1e308,
  -5e-324,
  2 ** 60,
  0.1,
  "1e999999",
  "-1e-999999",
  "2026-01",
  "2026-02-30",
  "9".repeat(100),
  "1".repeat(101),
  "",
  "NaN",
  "+5",
  "2026-01-31T24:00Z",
  "2026-01-31 12",
  "0000-01",
  Number.POSITIVE_INFINITY,
  Number.NaN,
];
const WILD: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  Number.NEGATIVE_INFINITY,
  "",
  "x",
  [],
  {},
  [[]],
  [null],
  { length: 5 },
  "\0",
  "\ud800",
  "‮",
];

function wild(random: Random): unknown {
  return pick(random, [
    ...WILD,
    ...NAMES,
    ...BOUNDS,
    Array.from({ length: 301 }, (_, at) => ({ name: String(at) })),
  ]);
}

/** A member that is mostly as it should be. */
function or(random: Random, good: () => unknown): unknown {
  return random() < 0.12 ? wild(random) : good();
}

function makeColumn(random: Random): unknown {
  const members: Record<string, () => unknown> = {
    title: () => "Title",
    unit: () => pick(random, ["m", "kg/m3", "EUR"]),
    missing_values: () => [pick(random, ["NA", "-999", "__proto__", "1"])],
    categories: () =>
      Array.from({ length: 1 + Math.floor(random() * 201) }, (_, at) => ({
        value: pick(random, ["x", `v${at}`]),
      })),
    required: () => random() < 0.5,
    unique: () => random() < 0.5,
    minimum: () => pick(random, BOUNDS),
    maximum: () => pick(random, BOUNDS),
    role: () => pick(random, ["time", "place", "constructor"]),
    concept: () => pick(random, ["https://qudt.org/", "https://localhost/", "javascript:alert(1)"]),
    references: () => ({ label: pick(random, ["Other", "Table", "__proto__"]), column: pick(random, NAMES) }),
  };
  const chosen = Object.entries(members).filter(() => random() < 0.35);
  const made = chosen.map(([name, good]): [string, unknown] => [name, or(random, good)]);
  const unknown: [string, unknown][] = random() < 0.1 ? [[pick(random, NAMES), 1]] : [];
  return Object.fromEntries([["name", or(random, () => pick(random, NAMES))], ...made, ...unknown]);
}

function makeDictionary(random: Random): unknown {
  const columns = () =>
    Array.from({ length: 1 + Math.floor(random() * 5) }, () => or(random, () => makeColumn(random)));
  return {
    ...(random() < 0.5 ? { table: or(random, () => pick(random, ["first", "second", "__proto__"])) } : {}),
    ...(random() < 0.5 ? { primary_key: or(random, () => [pick(random, NAMES), pick(random, NAMES)]) } : {}),
    columns: or(random, columns),
  };
}

test(`${DICTIONARIES} hostile dictionaries are accepted or refused, each with a sentence on a path of it`, {
  timeout: 300_000,
}, () => {
  let accepted = 0;
  for (let seed = 1; seed <= DICTIONARIES; seed++) {
    const random = createRandom(seed);
    const one = makeDictionary(random);
    const dictionary = or(random, () => (random() < 0.3 ? [one, makeDictionary(random)] : one));
    const faults = findFaults([
      { label: "Table", ready: random() < 0.5 ? json : csv, dictionary },
      { label: "Other", ready: csv },
    ]);
    const told = Object.entries(faults);
    if (told.length === 0) accepted++;
    for (const [path, sentences] of told) {
      expect([seed, path]).toEqual([seed, expect.stringMatching(/^payload\.attachments\.0\.dictionary/)]);
      for (const sentence of sentences)
        expect([seed, sentence]).toEqual([seed, expect.stringMatching(/^[A-Z].*\.$/s)]);
    }
  }
  expect(accepted).toBeGreaterThan(DICTIONARIES / 200);
});

test("three hundred columns with two hundred categories each are looked up at once", async () => {
  const names = Array.from({ length: 300 }, (_, at) => `c${at}`);
  const ready = await prepareFile(`${names.join(",")}\n${names.map(() => "v199").join(",")}\n`, "csv");
  const categories = Array.from({ length: 200 }, (_, at) => ({ value: `v${at}` }));
  const dictionary = {
    primary_key: names.slice(0, 10),
    columns: names.map((name) => ({ name, categories })),
  };
  expect(findFaults([{ label: "Wide", ready, dictionary }])).toEqual({});
  const wider = { columns: [...dictionary.columns, { name: "c300" }] };
  expect(findFaults([{ label: "Wide", ready, dictionary: wider }])).toEqual({
    "payload.attachments.0.dictionary.columns": ["The columns list has 301 items; at most 300 are allowed."],
  });
});
