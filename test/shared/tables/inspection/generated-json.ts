import { pick, type Random, repeat } from "./generated.ts";

const SCALARS = [
  ...[
    "null",
    "true",
    "false",
    "0",
    "-0",
    "1.50",
    "1e400",
    "-2E+3",
    "12345678901234567890",
    '""',
    '"x"',
    '"5"',
  ],
  ...[
    '"2026-01-01"',
    '"2026-02-30"',
    '"\\u0032026-01-01"',
    '"2026-01-01T10:00:00Z"',
    '"true"',
    '"a\\"b\\\\"',
  ],
  ...[
    '"\\ud83d\\ude00"',
    '"\\ud83d"',
    '"é日😀"',
    '"\\n\\/"',
    '"\\u0000"',
    '"\\x"',
    '"\u2028"',
    "01",
    "1.",
    "-",
    "nul",
  ],
];
const RARE = 14;
const KEYS = ["a", "b", "c", "é", "2020", "__proto__", "a\\u0062", "ab", "", "k".repeat(90), "\\n"];
const SPACES = ["", "", "", "", " ", "\n", "\r\n", "\t", "\n  "];

function space(random: Random): string {
  return pick(random, SPACES);
}

function makeScalar(random: Random): string {
  const known = random() * RARE < 1 ? SCALARS : SCALARS.slice(0, 19);
  return pick(random, known);
}

function makeValue(random: Random, depth: number): string {
  const choice = random();
  if (depth === 0 || choice < 0.6) return makeScalar(random);
  if (choice < 0.8)
    return makeList(
      random,
      repeat(random, 4, () => makeValue(random, depth - 1)),
    );
  return makeObject(
    random,
    repeat(random, 5, () => pick(random, KEYS)),
    depth,
  );
}

function makeList(random: Random, items: string[]): string {
  return `[${space(random)}${items.join(`${space(random)},${space(random)}`)}${space(random)}]`;
}

function makeObject(random: Random, keys: string[], depth: number): string {
  const members = keys.map(
    (key) => `"${key}"${space(random)}:${space(random)}${makeValue(random, depth - 1)}`,
  );
  return `{${space(random)}${members.join(`${space(random)},${space(random)}`)}${space(random)}}`;
}

function makeRecords(random: Random): string {
  const keys = repeat(random, 4, () => pick(random, KEYS));
  const records = repeat(random, 14, () => {
    const own = random() < 0.8 ? keys : repeat(random, 5, () => pick(random, KEYS));
    return random() < 0.03 ? makeScalar(random) : makeObject(random, own, 1 + Math.floor(random() * 3));
  });
  return makeList(random, records);
}

/** Records as programs write them: the same keys, short values, no space. */
function makeUsualRecords(random: Random): string {
  const keys = ["id", "name", "é", "d"].slice(0, 1 + Math.floor(random() * 4));
  const colon = pick(random, [":", ":", ": "]);
  const records = repeat(random, 12, () => {
    const own = random() < 0.9 ? keys : keys.toReversed();
    return `{${own.map((key) => `"${key}"${colon}${makeScalar(random)}`).join(pick(random, [",", ",", ", "]))}}`;
  });
  const end = random() < 0.1 ? pick(random, [",", "]", "}", ",}"]) : "";
  const list = `[${records.join(pick(random, [",", ",\n"]))}]`;
  const cut = Math.floor(random() * list.length);
  return end === "" ? list : list.slice(0, cut) + end + list.slice(cut);
}

/** A JSON file, sound or nearly so: a list of records, an object with such lists, or anything. */
export function makeJson(random: Random): Buffer {
  const choice = random();
  const members = (): string[] =>
    repeat(
      random,
      5,
      () => `"${pick(random, KEYS)}":${random() < 0.5 ? makeRecords(random) : makeValue(random, 3)}`,
    );
  const text =
    choice < 0.25
      ? makeUsualRecords(random)
      : choice < 0.5
        ? makeRecords(random)
        : choice < 0.8
          ? `{${members().join(",")}}`
          : makeValue(random, 5);
  return Buffer.from(`${pick(random, ["", "", "", "\ufeff", "\n"])}${text}${space(random)}`);
}
