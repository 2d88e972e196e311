import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll, expect, test } from "vitest";
import type { FileFormat } from "../../../../shared/tables/inspection/verdict.ts";
import { openFolder } from "../../../support/close-afterwards.ts";
import { runs } from "../../../support/depth.ts";
import { createRandom, pick, type Random } from "../inspection/generated.ts";
import { prepareFile } from "../rows/reading.ts";
import { findFaults } from "./checking.ts";

const FILES = runs(500);
const folder = await openFolder();
const path = join(folder, "data.csv");

const duckdb = await (await DuckDBInstance.create(":memory:", { threads: "1" })).connect();

afterAll(() => {
  duckdb.closeSync();
});

const HEADER = ["id", "station", "day", "value", "grade", "note"];
const STATIONS = ["Husum", "Tönning", 'say "x"', "two\nlines", "a,b"];
const GRADES = ["A", "B", "7", "7.0"];
type Row = Record<string, string>;

const dayOf = (number: number) => new Date(Date.UTC(2020, 0, 1 + number)).toISOString().slice(0, 10);

/** Rows that keep every rule of the dictionary below. */
function makeRows(random: Random): Row[] {
  const count = 2 + Math.floor(random() * 60);
  return Array.from({ length: count }, (_, at) => ({
    id: pick(random, [String(at), `k${at}`, `00${at}`]),
    station: STATIONS[at % STATIONS.length] ?? "",
    day: dayOf(at),
    value: random() < 0.2 ? pick(random, ["-999", "NA", ""]) : makeValue(random),
    grade: random() < 0.1 ? "" : pick(random, GRADES),
    note: random() < 0.5 ? "" : pick(random, ["x", "-999", "é"]),
  }));
}

function makeValue(random: Random): string {
  const value = (random() * 40 - 10).toFixed(Math.floor(random() * 12));
  return Number(value) > 29.999 || Number(value) < -9.999 ? "1.50" : value;
}

const DICTIONARY = {
  primary_key: ["station", "day"],
  columns: [
    { name: "id", required: true, unique: true },
    { name: "station", references: { label: "Stations", column: "name" } },
    { name: "day", minimum: "2020-01-01", maximum: "2020-03-31" },
    { name: "value", missing_values: ["-999", "NA"], minimum: -10, maximum: "30.000000000000000001" },
    { name: "grade", categories: GRADES.map((value) => ({ value })) },
  ],
};

const quote = (cell: string) => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
const writeCsv = (names: string[], rows: Row[]) =>
  `${[names, ...rows.map((row) => names.map((name) => row[name] ?? ""))].map((cells) => cells.map(quote).join(",")).join("\n")}\n`;

/** The same rows as a JSON list, or as one of two lists of a document; a blank cell is null, an empty text or no member. */
function writeJson(rows: Row[], random: Random, isDocument: boolean): string {
  const toCell = (name: string, cell: string) =>
    name === "value" && cell !== "NA" ? cell : JSON.stringify(cell);
  const records = rows.map((row, at) => {
    const members = HEADER.flatMap((name) => {
      const cell = row[name] ?? "";
      const blank = pick(random, ["null", '""', at === 0 ? "null" : null]);
      const written = cell === "" ? blank : toCell(name, cell);
      return written === null ? [] : [`${JSON.stringify(name)}:${written}`];
    });
    return `{${members}}`;
  });
  return isDocument ? `{"note":"x","other":[{"id":1}],"readings":[${records}]}` : `[${records}]`;
}

const FILLED = "coalesce(value, '') NOT IN ('', '-999', 'NA')";
const AS_DECIMAL = "TRY_CAST(value AS DECIMAL(38, 18))";
/** How many rows break each rule, in the words of another program. */
const BREACHES: Record<string, string> = {
  primary_key:
    "(SELECT count(*) FROM t WHERE coalesce(station, '') = '' OR coalesce(day, '') = '') + (SELECT count(*) - count(DISTINCT (station, day)) FROM t)",
  "columns.0.required": "(SELECT count(*) FROM t WHERE coalesce(id, '') = '')",
  "columns.0.unique": "(SELECT count(id) - count(DISTINCT id) FROM t)",
  "columns.1.references":
    "(SELECT count(*) FROM t WHERE coalesce(station, '') <> '' AND station NOT IN ('Husum', 'Tönning', 'say \"x\"', 'two\nlines', 'a,b'))",
  "columns.2.minimum":
    "(SELECT count(*) FROM t WHERE coalesce(day, '') <> '' AND (TRY_CAST(day AS DATE) IS NULL OR CAST(day AS DATE) < DATE '2020-01-01'))",
  "columns.2.maximum":
    "(SELECT count(*) FROM t WHERE coalesce(day, '') <> '' AND (TRY_CAST(day AS DATE) IS NULL OR CAST(day AS DATE) > DATE '2020-03-31'))",
  "columns.3.minimum": `(SELECT count(*) FROM t WHERE ${FILLED} AND (${AS_DECIMAL} IS NULL OR ${AS_DECIMAL} < -10))`,
  "columns.3.maximum": `(SELECT count(*) FROM t WHERE ${FILLED} AND (${AS_DECIMAL} IS NULL OR ${AS_DECIMAL} > 30.000000000000000001))`,
  "columns.4.categories":
    "(SELECT count(*) FROM t WHERE coalesce(grade, '') <> '' AND grade NOT IN ('A', 'B', '7', '7.0'))",
};

async function countBreaches(csv: string): Promise<string[]> {
  writeFileSync(path, csv);
  await duckdb.run(
    `CREATE OR REPLACE TABLE t AS SELECT * FROM read_csv('${path}', all_varchar = true, header = true, delim = ',', quote = '"', escape = '"', auto_detect = false, columns = {${HEADER.map((name) => `'${name}': 'VARCHAR'`).join(", ")}})`,
  );
  const rules = Object.entries(BREACHES);
  const reader = await duckdb.runAndReadAll(
    `SELECT ${rules.map(([, sql], at) => `${sql} AS r${at}`).join(", ")}`,
  );
  const [counts = []] = reader.getRows();
  return rules.flatMap(([rule], at) => (Number(counts[at]) > 0 ? [rule] : []));
}

/** Breaks one rule in one row; gives the rules that this breaks. */
const PLANTS: ((rows: Row[], at: number) => [rule: string, row: number])[] = [
  (rows, at) => {
    (rows[at] as Row).id = "";
    return ["columns.0.required", at];
  },
  (rows, at) => {
    const other = at === 0 ? 1 : at - 1;
    (rows[at] as Row).id = rows[other]?.id ?? "";
    return ["columns.0.unique", Math.max(at, other)];
  },
  (rows, at) => {
    (rows[at] as Row).station = "Büsum";
    return ["columns.1.references", at];
  },
  (rows, at) => {
    (rows[at] as Row).day = "2019-12-31";
    return ["columns.2.minimum", at];
  },
  (rows, at) => {
    (rows[at] as Row).day = "2020-04-01";
    return ["columns.2.maximum", at];
  },
  (rows, at) => {
    (rows[at] as Row).value = "-10.000000000000000001";
    return ["columns.3.minimum", at];
  },
  (rows, at) => {
    (rows[at] as Row).value = "30.000000000000000002";
    return ["columns.3.maximum", at];
  },
  (rows, at) => {
    (rows[at] as Row).grade = "7.00";
    return ["columns.4.categories", at];
  },
  (rows, at) => {
    const other = at === 0 ? 1 : at - 1;
    Object.assign(rows[at] as Row, { station: rows[other]?.station, day: rows[other]?.day });
    return ["primary_key", Math.max(at, other)];
  },
];

const stations = await prepareFile(
  writeCsv(
    ["name"],
    STATIONS.map((name) => ({ name })),
  ),
  "csv",
);
const PATH = "payload.attachments.0.dictionary";
const checkFile = async (text: string, format: FileFormat, dictionary: object) =>
  findFaults([
    { label: "Readings", ready: await prepareFile(text, format), dictionary },
    { label: "Stations", ready: stations },
  ]);
/** The rows of the first sentences; their words name cells as the file writes them. */
const rowsOf = (faults: Record<string, string[]>, firstRow: number) =>
  Object.entries(faults).map(([path, [sentence]]) => [path, rowIn(sentence) - firstRow]);
const rowIn = (sentence = "") => Number(/^Row (\d+) /.exec(sentence)?.[1]);

/** What rows as CSV are refused for; as JSON they are refused for the same. */
async function check(seed: number, rows: Row[]) {
  const faults = await checkFile(writeCsv(HEADER, rows), "csv", DICTIONARY);
  const isDocument = seed % 4 === 1;
  const said = isDocument ? { ...DICTIONARY, table: "readings" } : DICTIONARY;
  if (seed % 2 === 1) {
    const json = writeJson(rows, createRandom(seed), isDocument);
    const found = await checkFile(json, "json", said);
    expect([seed, json, rowsOf(found, 1)]).toEqual([seed, json, rowsOf(faults, 2)]);
  }
  return faults;
}

test(`every rule that is accepted holds in DuckDB, and every planted breach is refused with its row, in ${FILES} files`, {
  timeout: 300_000,
}, async () => {
  for (let seed = 1; seed <= FILES; seed++) {
    const random = createRandom(seed);
    const rows = makeRows(random);
    const csv = writeCsv(HEADER, rows);
    expect([seed, await check(seed, rows), await countBreaches(csv)]).toEqual([seed, {}, []]);
    const plant = PLANTS[seed % PLANTS.length] as (typeof PLANTS)[number];
    const [rule, row] = plant(rows, Math.floor(random() * rows.length));
    const broken = writeCsv(HEADER, rows);
    const faults = await check(seed, rows);
    expect([seed, Object.keys(faults)]).toEqual([seed, [`${PATH}.${rule}`]]);
    expect([seed, rowIn(faults[`${PATH}.${rule}`]?.[0])]).toEqual([seed, row + 2]);
    expect([seed, await countBreaches(broken)]).toEqual([seed, [rule]]);
  }
});
