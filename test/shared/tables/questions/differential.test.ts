import { describe, expect, it } from "vitest";
import type { FileFormat } from "../../../../shared/tables/inspection/verdict.ts";
import { MOST_DATA_BYTES, runs } from "../../../support/depth.ts";
import { createRandom, type Random } from "../inspection/generated.ts";
import { listDatasets, readDataset } from "../inspection/sources.ts";
import { type OracleTable, readTable } from "../rows/oracle/table.ts";
import type { ReadyFile } from "../rows/reading.ts";
import { asJson, ask, prepareFile } from "./asking.ts";
import { type Asked, answer, Refused } from "./oracle/answer.ts";
import { makeQuestion, makeRows, NAMES, toCsv, toJson } from "./random-questions.ts";

const QUESTIONS = Number(process.env.DIFFERENTIAL_QUESTIONS ?? runs(20_000));
const SEED = Number(process.env.DIFFERENTIAL_SEED ?? 1);
const QUESTIONS_A_TABLE = 10;

function tell(table: OracleTable, asked: Asked, isCsv: boolean) {
  try {
    return { data: answer(table, asked, isCsv) };
  } catch (error) {
    if (error instanceof Refused) return { field: error.field, row: error.row };
    throw error;
  }
}

async function askProduct(ready: ReadyFile, asked: Asked) {
  const found = await ask(ready, asJson(asked));
  if (!found.ok) {
    const [field = "", [sentence = ""] = []] = Object.entries(found.errors)[0] ?? [];
    return { field, row: Number(/row (\d+): /.exec(sentence)?.[1] ?? sentence) };
  }
  const text = Buffer.from(found.json).toString();
  const { asset_id, content_sha256, table, question, blank_from, ...data } = JSON.parse(text);
  // Numbers keep their digits in the text alone.
  const rows = text.slice(text.indexOf(',"rows":') + 8, text.lastIndexOf(',"returned":'));
  const facets = text.slice(text.lastIndexOf(',"facets":') + 10, text.lastIndexOf(',"question":'));
  return { data: { ...data, rows, facets } };
}

async function compare(ready: ReadyFile, table: OracleTable, asked: Asked): Promise<boolean> {
  const isCsv = ready.file.format === "csv";
  const theirs = tell(table, asked, isCsv);
  const told = `${JSON.stringify(asked)} of ${ready.content.toString("utf8", 0, 3_000)}`;
  expect(await askProduct(ready, asked), told).toEqual(theirs);
  return "data" in theirs;
}

async function walk(format: FileFormat, random: Random): Promise<{ answered: number; asked: number }> {
  let [answered, asked] = [0, 0];
  while (asked < QUESTIONS / 2) {
    const rows = makeRows(random);
    if (rows.length === 0) continue;
    const content = Buffer.from(format === "csv" ? toCsv(rows) : toJson(random, rows));
    const ready = await prepareFile(content, format);
    if (ready.file.inspection?.kind !== "table" || ready.file.inspection.columns.length < NAMES.length)
      continue;
    const table = await readTable(content, format, null);
    const texts = rows.flatMap((row) => Object.values(row)).slice(0, 40);
    for (let turn = 0; turn < QUESTIONS_A_TABLE; turn++) {
      if (await compare(ready, table, makeQuestion(random, NAMES, texts))) answered++;
      asked++;
    }
  }
  return { answered, asked };
}

describe("answers are those of a second implementation", () => {
  it.each(["csv", "json"] as const)(
    `to ${QUESTIONS / 2} questions about %s`,
    { timeout: 300_000 },
    async (format) => {
      const { answered, asked } = await walk(format, createRandom(SEED));
      // The rest are refusals of cells, by the same field and row.
      expect(answered).toBeGreaterThan(asked / 2);
      expect(answered).toBeLessThan(asked);
    },
  );

  const names = ["csv", "json"].flatMap((ending) => listDatasets(ending, MOST_DATA_BYTES));
  it.each(names)("to questions about %s", { timeout: 360_000 }, async (name) => {
    const content = readDataset(`data/${name}`);
    const format = name.endsWith("csv") ? "csv" : "json";
    if (content === null) return;
    const ready = await prepareFile(content, format);
    if (ready.file.inspection?.kind !== "table") return;
    const columns = ready.file.inspection.columns.map((column) => column.name);
    if (columns.length === 0) return;
    const table = await readTable(content, format, null);
    const random = createRandom(SEED);
    const texts = table.rows.slice(0, 20).flatMap((row) => row.map(({ text }) => text ?? "").slice(0, 8));
    for (let turn = 0; turn < runs(40); turn++)
      await compare(ready, table, makeQuestion(random, columns, texts));
  });
});
