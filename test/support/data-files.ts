import { createRandom, pick, type Random } from "../shared/tables/inspection/generated.ts";

/** Seeded files, of 10 MiB where nothing else is said: readings with numbers, days, words, blanks, quotes, line breaks and letters of many scripts. */

const FILE_BYTES = 10 * 1024 * 1024;
const WORDS =
  "alpha beta gamma delta river stone cloud ember quiet harbor north signal paper violet copper winter".split(
    " ",
  );
const CITIES = [
  "Zürich",
  "São Paulo",
  "Łódź",
  "東京",
  "Kraków",
  "Köln",
  "München",
  "Québec",
  "Δelta",
  "naïve café",
];
const FIRST_DAY_MS = Date.UTC(2015, 0, 1);
const DAY_MS = 86_400_000;

export const COLUMNS = [
  "id",
  "date",
  "price",
  "qty",
  "active",
  "city",
  "note",
  "code",
  "mixed",
  "ratio",
] as const;

type Value = string | number | boolean | null;

function makeRow(random: Random, id: number): Value[] {
  const word = (): string => pick(random, WORDS);
  return [
    id,
    new Date(FIRST_DAY_MS + Math.floor(random() * 3_650) * DAY_MS).toISOString().slice(0, 10),
    random() < 0.03 ? null : Math.round(random() * 100_000) / 100,
    Math.floor(random() * 1_000),
    random() < 0.02 ? null : random() < 0.5,
    random() < 0.05 ? null : pick(random, CITIES),
    makeNote(random, word),
    `${word().slice(0, 3).toUpperCase()}-${Math.floor(random() * 10_000)}`,
    random() < 0.6 ? Math.floor(random() * 500) : word(),
    Math.round(random() * 1e6) / 1e6,
  ];
}

function makeNote(random: Random, word: () => string): string | null {
  const kind = random();
  if (kind < 0.08) return `${word()}, ${word()} "${word()}"`;
  if (kind < 0.12) return `${word()}\n${word()} ${word()}`;
  return kind < 0.2 ? null : `${word()} ${word()} ${word()}`;
}

/** A CSV of at most so many bytes; a seed always gives the same file. */
export function makeCsvFile(bytes = FILE_BYTES, seed = 42): Buffer<ArrayBuffer> {
  return fill(
    createRandom(seed),
    `${COLUMNS.join(",")}\n`,
    "",
    bytes,
    (row) => `${row.map(toCsv).join(",")}\n`,
  );
}

function toCsv(value: Value): string {
  const text = value === null ? "" : String(value);
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A JSON list of objects of at most so many bytes. */
export function makeJsonFile(bytes = FILE_BYTES): Buffer<ArrayBuffer> {
  return fill(createRandom(43), "[\n", '{"id":0}\n]', bytes, (row) => {
    return `${JSON.stringify(Object.fromEntries(COLUMNS.map((name, at) => [name, row[at]])))},\n`;
  });
}

function fill(
  random: Random,
  start: string,
  end: string,
  bytes: number,
  encode: (row: Value[]) => string,
): Buffer<ArrayBuffer> {
  const parts = [start];
  let length = start.length + end.length;
  for (let id = 1; ; id++) {
    const line = encode(makeRow(random, id));
    length += Buffer.byteLength(line);
    if (length > bytes) return Buffer.from(parts.join("") + end);
    parts.push(line);
  }
}
