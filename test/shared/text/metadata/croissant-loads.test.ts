import { describe, expect, test } from "vitest";
import type { FileFormat } from "../../../../shared/tables/inspection/verdict.ts";
import { writeCroissant } from "../../../../shared/text/metadata/croissant.ts";
import { type LoadedRecords, loadCroissant, parseJson } from "../../../support/croissant-reader.ts";
import { MOST_DATA_BYTES, runs, some } from "../../../support/depth.ts";
import { createRandom, makeCsv } from "../../tables/inspection/generated.ts";
import { makeJson } from "../../tables/inspection/generated-json.ts";
import {
  type CorpusCase,
  contentOf,
  inspect,
  listDatasets,
  readCorpus,
  readDataset,
} from "../../tables/inspection/sources.ts";
import { ask, type ReadyFile, readJson } from "../../tables/rows/reading.ts";
import { type DescribedSample, describeSample, makeDataset } from "./described.ts";

const ALL = { rowsPerCall: 1e9, rowsResponseBytes: 1e9, jsonTableBytes: 1e9 };
const CELLS: Record<string, (cell: unknown) => boolean> = {
  "sc:Integer": (cell) => /^-?\d+$/.test(textOf(cell)),
  "sc:Float": (cell) => Number.isFinite(Number(textOf(cell))),
  "sc:Date": (cell) => /^\d{4}-\d\d-\d\d$/.test(textOf(cell)),
  "sc:DateTime": (cell) => /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(textOf(cell)),
  "sc:Boolean": (cell) => /^(?:true|false)$/i.test(textOf(cell)),
  "sc:Text": () => true,
};

function textOf(cell: unknown): string {
  return typeof cell === "object" && cell !== null && "digits" in cell ? String(cell.digits) : String(cell);
}

const isBlank = (cell: unknown) => cell === null || cell === "";

/** The cells of some columns by the rows reader, in every digit: it answers with a hundred columns at most. */
async function readCells(ready: ReadyFile, list: string | null, names: string[]): Promise<unknown[][]> {
  const cells: unknown[][] = [];
  for (let from = 0; from < names.length; from += 100) {
    const asked = names.slice(from, from + 100).map((name): [string, string] => ["columns[]", name]);
    const query = new URLSearchParams([["limit", "1000000"], ...asked]);
    if (list !== null) query.set("table", list);
    const outcome = await ask(ready, query.toString(), ALL);
    if (!outcome.ok) throw new Error(JSON.stringify(outcome.errors));
    const { rows } = parseJson(readJson(outcome)) as { rows: unknown[][] };
    cells.push(...asked.map((_, at) => rows.map((row) => row[at])));
  }
  return cells;
}

/** Loads a sample by its document, and compares each table with its rows, column by column. */
async function compare({ file, ready }: DescribedSample): Promise<LoadedRecords[]> {
  const document = JSON.parse(JSON.stringify(writeCroissant(makeDataset([file]))));
  const loaded = await loadCroissant(document, async (url) => {
    expect(url).toBe(file.url);
    return ready.content;
  });
  const tables = file.tables.filter(({ columns }) => columns.length > 0);
  expect(loaded.map(({ id }) => id)).toEqual(tables.map((_, at) => `table-${at + 1}`));
  for (const [at, { list, columns }] of tables.entries()) {
    const own = loaded[at];
    const names = columns.slice(0, 300).map(({ name }) => name);
    const expected = await readCells(ready, list, names);
    expect([...(own?.columns.keys() ?? [])]).toEqual(names);
    for (const [name, { type, cells }] of own?.columns ?? []) {
      expect(cells, name).toEqual(expected[names.indexOf(name)]);
      const wrong = cells.filter((cell) => !isBlank(cell) && !CELLS[type]?.(cell));
      expect([name, type, wrong.slice(0, 3)]).toEqual([name, type, []]);
    }
  }
  return loaded;
}

const NAMES = ["__proto__", "constructor", 'a"b', "it's", "x[0]", "a.b", "two\nlines", "back\\slash", "ä 😀"];
const FURTHER = ["where", "parent", "*", " edge ", "$", "@type", "0"];
// A CSV whose names hold what nobody sees is refused; a JSON file may have them.
const UNSEEN = ["\u202eאב", "\u0007"];

describe("each record set loads by the document alone, and has the rows of its table", () => {
  test("with names that paths and headers have to quote", async () => {
    const written = [...NAMES, ...FURTHER];
    const quote = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
    const makeRows = (names: string[]) => [names, names.map((_, at) => String(at)), names.map(() => "")];
    const lines = [written, ...makeRows(written)].map((row) => row.map(quote).join(","));
    await compare(await describeSample(`${lines.join("\n")}\n`, "csv"));
    const names = [...written, ...UNSEEN];
    const records = makeRows(names).map((row) =>
      Object.fromEntries(row.map((cell, at) => [names[at] ?? "", cell])),
    );
    await compare(await describeSample(JSON.stringify(records), "json"));
    for (const name of names)
      await compare(await describeSample(JSON.stringify({ [name]: records, n: 1 }), "json"));
  });

  test("with records that lack a member, have null, or have the empty text", async () => {
    const json =
      '{"a":[{"x":1,"y":"p"},{"y":null},{"x":null,"y":""},{"x":2.50,"z":[1,{"b":2}]}],"b":[{"x":true}]}';
    const [one, other] = await compare(await describeSample(json, "json"));
    expect([one?.count, other?.count]).toEqual([4, 1]);
    expect(one?.columns.get("x")).toEqual({
      type: "sc:Float",
      cells: [{ digits: "1" }, null, null, { digits: "2.50" }],
    });
  });

  test("up to 300 columns, and no further", async () => {
    const names = Array.from({ length: 301 }, (_, at) => `c${at}`);
    const [loaded] = await compare(await describeSample(`${names}\n${names}\n`, "csv"));
    expect(loaded?.columns.size).toBe(300);
  });

  test.each([
    ["csv", "csv-edge.json"],
    ["json", "json-cases.json"],
  ] as const)("of the accepted %s files of %s", async (format, name) => {
    const corpus = readCorpus<Record<string, CorpusCase[]>>(name);
    const lists = ["cases", "cases_suite", "cases_own"].map((list) => corpus?.[list] ?? []);
    let count = 0;
    for (const one of some(lists.flat(), 8)) count += await compareIfAccepted(contentOf(one), format);
    expect(count).toBeGreaterThan(corpus === null ? -1 : 2);
  });

  test.each(["csv", "json"] as const)("of the %s files of vega-datasets", async (format) => {
    let count = 0;
    for (const name of some(listDatasets(format, MOST_DATA_BYTES))) {
      const content = readDataset(`data/${name}`);
      if (content !== null) count += await compareIfAccepted(content, format);
    }
    expect(count).toBeGreaterThan(2);
  });

  test("of generated files", async () => {
    const random = createRandom(7);
    let count = 0;
    for (let run = 0; run < runs(800); run++) {
      count += await compareIfAccepted(makeCsv(random), "csv");
      count += await compareIfAccepted(makeJson(random), "json");
    }
    expect(count).toBeGreaterThan(runs(800) / 2);
  });
});

async function compareIfAccepted(content: Buffer, format: FileFormat): Promise<number> {
  if (!(await inspect(content, format)).ok) return 0;
  const sample = await describeSample(content, format);
  return (await compare(sample)).length;
}
