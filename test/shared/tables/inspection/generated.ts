/** Seeded files: whole tables and documents, and what becomes of them when a few of their bytes go wrong. */

/** A source of numbers from 0 to 1, the same for the same seed (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export type Random = () => number;

export function pick<Item>(random: Random, items: readonly Item[]): Item {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error("nothing to pick from");
  return item;
}

export function repeat<Item>(random: Random, most: number, make: () => Item): Item[] {
  return Array.from({ length: Math.floor(random() * (most + 1)) }, make);
}

/** Cells that stand at a border of a rule of column-types.ts, or of CSV itself. */
export const CELLS = [
  ...["", "0", "-1", "007", "3.50", "1e5", "-4E-7", "1e+9", "+1", ".5", "5.", "-", "-.5", "1e", "1e+", "--1"],
  ...["12345678901234567890.5", "2026", "2026-01-31", "2026-02-29", "2024-02-29", "2026-1-1", "1999-12"],
  ...["1900-02-29", "2000-02-29", "1900-02-29T00:00Z"],
  ...[
    "2026-01-31T23:59:59Z",
    "2026-01-31 08:00",
    "2026-01-31T08:00:00.123+02:00",
    "2026-13-01",
    "2026-00-10",
  ],
  ...["2026-01-00", "0000-01-28", "9999-12-28", "20a6-01-10", "2026-01-10x", "true", "FALSE", "True", "tRUE"],
  ...[
    "trues",
    "fals",
    "False",
    "NaN",
    "x",
    "a b",
    " 5",
    "5 ",
    "é",
    "ΟΔΟΣ",
    "ΟΔΟΣΑ",
    "日本",
    "😀",
    "\ufeff",
    "a;b",
    "a\tb",
    "o'k",
  ],
  ...['a"b', "x".repeat(45), "1".repeat(45), "\u0001", "\u2028"],
];
// What a column of one type may hold: a single other cell would make it a column of texts.
const OF_ONE_TYPE = [
  ["", "0", "-1", "3.50", "1e5", "-4E-7", "1e+9", "12345678901234567890.5", "12345678901234567891"],
  ["", "2026", "2026-01-31", "2024-02-29", "1999-12", "2000-02-29"],
  ["", "true", "FALSE", "True"],
];
const QUOTED = [
  "",
  "a,b",
  "line\nbreak",
  "line\r\nbreak",
  "\r",
  'say ""hi""',
  '""',
  "5",
  "-1.5",
  "2026-01-31",
  "true",
];

function makeCell(random: Random): string {
  return random() < 0.75 ? pick(random, CELLS) : `"${pick(random, QUOTED)}"`;
}

/** A CSV file, sound or nearly so. */
export function makeCsv(random: Random): Buffer {
  const width = 1 + Math.floor(random() * 4);
  const header = Array.from({ length: width }, (_, column) => {
    const name = pick(random, ["a", "b", "é", "q,"]);
    // A text after the closing quote is refused, and the rest of the file is not read.
    if (name === "q,") return random() < 0.05 ? `"${name}"${column}` : `"${name}${column}"`;
    return `${name}${column}`;
  });
  const types = random() < 0.5 ? header.map(() => pick(random, OF_ONE_TYPE)) : [];
  const rows = repeat(random, 14, () =>
    header.map((_, at) => {
      const ofType = types[at];
      return ofType !== undefined && random() < 0.97 ? pick(random, ofType) : makeCell(random);
    }),
  );
  const lines = [header, ...rows].map((row) => row.join(",") + pick(random, ["\n", "\n", "\n", "\r\n"]));
  if (random() < 0.2)
    lines.splice(Math.floor(random() * lines.length), 0, pick(random, ["\n", "\r\n", "\n\n"]));
  const text =
    pick(random, ["", "", "", "\ufeff"]) + lines.join("") + pick(random, ["", "", "\n", "\n\r\n", "x"]);
  return Buffer.from(random() < 0.2 ? text.replace(/\r?\n$/, "") : text);
}

const BYTES = [
  0, 1, 9, 10, 10, 13, 13, 34, 34, 44, 44, 45, 46, 48, 57, 65, 91, 93, 123, 125, 58, 92, 101, 117, 0x80, 0xc3,
  0xe2, 0xf0, 0xff,
];

/** The bytes with a few of them replaced, put in, taken out, doubled or cut off. */
export function mutate(random: Random, content: Buffer): Buffer {
  let bytes = content;
  for (let turns = 1 + Math.floor(random() * 3); turns > 0; turns--) {
    const at = Math.floor(random() * (bytes.length + 1));
    const put = Buffer.of(pick(random, BYTES));
    const parts: [from: number, put: Buffer][] = [
      [at + 1, put],
      [at, put],
      [at + 1, Buffer.alloc(0)],
      [at, Buffer.from(bytes.subarray(at, at + 6))],
      [bytes.length, Buffer.alloc(0)],
    ];
    const [from, between] = pick(random, parts);
    bytes = Buffer.concat([bytes.subarray(0, at), between, bytes.subarray(from)]);
  }
  return bytes;
}
