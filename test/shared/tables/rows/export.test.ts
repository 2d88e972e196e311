import Papa from "papaparse";
import { describe, expect, it } from "vitest";
import { MOST_DATA_BYTES, runs, some } from "../../../support/depth.ts";
import { createRandom, makeCsv, pick } from "../inspection/generated.ts";
import { makeJson } from "../inspection/generated-json.ts";
import { inspect, listDatasets, readDataset } from "../inspection/sources.ts";
import { listNames, makeQuery, readAll } from "./differential-queries.ts";
import { exportAll } from "./export-all.ts";
import { prepareFile, type ReadyFile } from "./reading.ts";

const FILES = runs(4_000);

async function expectWhole(ready: ReadyFile, query: string): Promise<number> {
  const { columns, rows } = await readAll(ready, query);
  const told = `${query} of ${JSON.stringify(ready.content.toString("utf8", 0, 1_000))}`;
  const lines = (await exportAll(ready, query, "ndjson")).join("").split("\n");
  expect(lines.pop(), told).toBe("");
  const objects = lines.map((line) => JSON.parse(line));
  expect(
    objects.map((object) => columns.map((name) => object[name])),
    told,
  ).toEqual(rows);
  const csv = Papa.parse<string[]>((await exportAll(ready, query, "csv")).join(""), { newline: "\r\n" });
  expect(csv.data.pop(), told).toEqual([""]);
  expect(csv.data[0], told).toEqual(columns);
  const texts = csv.data.slice(1);
  expect(texts.length, told).toBe(rows.length);
  for (const [row, cells] of rows.entries()) {
    for (const [column, cell] of cells.entries()) {
      const text = texts[row]?.[column] ?? "none";
      if (cell === null || typeof cell === "string") expect(text, told).toBe(cell ?? "");
      else expect(JSON.parse(text), told).toEqual(cell);
    }
  }
  return rows.length;
}

describe("an export has every row that is asked for, in both forms", () => {
  it.each([
    ["csv", makeCsv],
    ["json", makeJson],
  ] as const)(`on ${FILES} generated %s files`, { timeout: 240_000 }, async (format, make) => {
    const random = createRandom(3);
    let rows = 0;
    for (let at = 0; at < FILES; at++) {
      const content = make(random);
      if (!(await inspect(content, format)).ok) continue;
      const ready = await prepareFile(content, format);
      if (listNames(ready).length === 0) continue;
      const query = makeQuery(random, listNames(ready));
      if (random() < 0.5) query.delete("limit");
      if (ready.file.tables[0] !== undefined) query.set("table", ready.file.tables[0].name);
      rows += await expectWhole(ready, String(query));
    }
    expect(rows).toBeGreaterThan(FILES / 2);
  });

  const names = some(["csv", "json"].flatMap((ending) => listDatasets(ending, MOST_DATA_BYTES)));
  it.each(names)("on %s", { timeout: 240_000 }, async (name) => {
    const content = readDataset(`data/${name}`);
    const format = name.endsWith("csv") ? "csv" : "json";
    if (content === null) return;
    const ready = await prepareFile(content, format);
    const columns = listNames(ready);
    if (columns.length === 0) return;
    const table = ready.file.tables[0]?.name;
    const query = new URLSearchParams({ from: pick(createRandom(content.length), ["start", "end"]) });
    if (table !== undefined) query.set("table", table);
    query.set("offset", "7");
    await expectWhole(ready, String(query));
    query.set("filter[0][column]", columns[0] ?? "");
    query.set("filter[0][op]", "contains");
    query.set("filter[0][value]", "1");
    query.set("limit", "2000");
    await expectWhole(ready, String(query));
  });
});

describe("an export", () => {
  it("is RFC 4180: CRLF, quotes where they are needed, blanks as empty cells", async () => {
    const ready = await prepareFile('a,"b ""c"""\n1,"x, ""y"""\n,\n"line\nbreak",z\n', "csv");
    expect((await exportAll(ready, "", "csv")).join("")).toBe(
      'a,"b ""c"""\r\n1,"x, ""y"""\r\n,\r\n"line\nbreak",z\r\n',
    );
  });

  it("keeps a blank of a lone column as a row that no reader skips", async () => {
    const ready = await prepareFile("a\n1\n\n2\n", "csv");
    expect((await exportAll(ready, "", "csv")).join("")).toBe('a\r\n1\r\n""\r\n2\r\n');
  });

  it("keeps JSON values digit by digit, keys in column order, and writes what is missing as null", async () => {
    const ready = await prepareFile('[{"2":1.50,"1":{"b":1e2}},{"1":"é\\u0041","__proto__":[]}]', "json");
    expect((await exportAll(ready, "", "ndjson")).join("")).toBe(
      '{"2":1.50,"1":{"b":1e2},"__proto__":null}\n{"2":null,"1":"éA","__proto__":[]}\n',
    );
    expect((await exportAll(ready, "", "csv")).join("")).toBe(
      '2,1,__proto__\r\n1.50,"{""b"":1e2}",\r\n,éA,[]\r\n',
    );
  });

  it("has the header where no row matches, and no line as objects", async () => {
    const ready = await prepareFile("a,b\n1,2\n", "csv");
    const none = "filter[0][column]=a&filter[0][op]=gt&filter[0][value]=1";
    expect((await exportAll(ready, none, "csv")).join("")).toBe("a,b\r\n");
    expect((await exportAll(ready, none, "ndjson")).join("")).toBe("");
    expect((await exportAll(await prepareFile("a,b\n", "csv"), "", "csv")).join("")).toBe("a,b\r\n");
  });

  it("comes in pieces that a large file does not make larger", async () => {
    const ready = await prepareFile(`id,word\n${"12345,abcdefgh\n".repeat(300_000)}`, "csv");
    for (const query of ["", "from=end", "filter[0][column]=id&filter[0][op]=gt&filter[0][value]=1"]) {
      const pieces = await exportAll(ready, query, "ndjson");
      expect(pieces.length).toBeGreaterThan(10);
      expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThan(1_000_000);
    }
  });

  it("has more than a hundred columns where a page has not", async () => {
    const names = Array.from({ length: 150 }, (_, at) => `c${at}`);
    const ready = await prepareFile(`${names}\n${names}\n`, "csv");
    expect((await exportAll(ready, "", "csv")).join("")).toBe(`${names}\r\n${names}\r\n`);
  });
});
