import { describe, expect, it } from "vitest";
import {
  type CorpusCase,
  columnNames,
  contentOf,
  inspect,
  readCorpus,
  readDataset,
  reasonOf,
} from "./sources.ts";

interface Case extends CorpusCase {
  expect: "accept" | "reject" | "unclear";
  inspection?: string;
  columns?: string[];
  types?: string[];
  tables?: string[];
  rows?: unknown[][];
  row_count?: number;
  first_rows?: unknown[][];
  bad?: { record?: number; line?: number };
}

const csv = readCorpus<{ cases: Case[] }>("csv-edge.json")?.cases ?? [];

describe.skipIf(csv.length === 0)("real CSV edge cases", () => {
  it.each(csv.filter((one) => one.expect === "accept"))("accepts $name", async (one) => {
    const verdict = await inspect(contentOf(one), "csv");
    expect(verdict).toMatchObject({ ok: true, inspection: { kind: "table", row_count: one.row_count } });
    if (!verdict.ok || verdict.inspection?.kind !== "table") return;
    expect(columnNames(verdict.inspection)).toEqual(one.columns);
    const first = one.first_rows ?? [];
    expect(verdict.inspection.sample.slice(0, first.length)).toEqual(first);
  });

  it.each(csv.filter((one) => one.expect === "reject"))("refuses $name, naming the row", async (one) => {
    const reason = await reasonOf(contentOf(one), "csv");
    if (one.bad?.record === undefined) expect(reason).toMatch(/^Row 1\b|^The file is /);
    else expect(reason).toMatch(new RegExp(`^Row ${one.bad.record} `));
  });

  it.each(csv.filter((one) => one.expect === "unclear"))(
    "settles $name with a table or a sentence",
    async (one) => {
      const verdict = await inspect(contentOf(one), "csv");
      if (!verdict.ok) expect(verdict.reason).toMatch(/^Row \d+\b.+\.$/);
    },
  );
});

const json = readCorpus<{ cases_suite: Case[]; cases_own: Case[] }>("json-cases.json");
const jsonCases = json === null ? [] : [...json.cases_suite, ...json.cases_own];
// JSON may escape NUL; PostgreSQL and readers may not hold it, so the service refuses it.
const DECIDED_OTHERWISE = new Set(["y_string_null_escape.json"]);

describe.skipIf(jsonCases.length === 0)("real JSON cases", () => {
  const decided = jsonCases.filter((one) => !DECIDED_OTHERWISE.has(one.name));

  it.each(decided.filter((one) => one.expect === "accept"))("accepts $name", async (one) => {
    const verdict = await inspect(contentOf(one), "json");
    expect(verdict).toMatchObject({ ok: true });
    if (!verdict.ok || verdict.inspection === null) return;
    const { inspection, tables } = verdict;
    if (one.inspection === "table" || one.inspection === "document")
      expect(inspection.kind).toBe(one.inspection);
    if (one.tables !== undefined) expect(tables.map((table) => table.name)).toEqual(one.tables);
    if (inspection.kind !== "table") return;
    if (one.columns !== undefined) expect(columnNames(inspection)).toEqual(one.columns);
    if (one.types !== undefined) expect(inspection.columns.map((column) => column.type)).toEqual(one.types);
    if (one.rows !== undefined) expect(inspection.sample).toEqual(one.rows);
  });

  it.each(decided.filter((one) => one.expect === "reject"))("refuses $name, naming the line", async (one) => {
    expect(await reasonOf(contentOf(one), "json")).toMatch(/^Line \d+[, ]|^The file is UTF-16/);
  });

  it.each(decided.filter((one) => one.expect === "unclear"))("settles $name", async (one) => {
    const verdict = await inspect(contentOf(one), "json");
    if (!verdict.ok) expect(verdict.reason).toMatch(/^Line \d+, column \d+: .+\.$/);
  });
});

interface Dataset {
  package: string;
  path: string;
  expect: "accept" | "reject";
  inspection: "table" | "document";
  row_count: number;
  columns: { name: string; blanks: number; type_likely: string }[];
  tables?: string[];
}

const datasets = readCorpus<{ files: Dataset[] }>("datasets.json")?.files ?? [];
const atHand = datasets.flatMap((file) => {
  const content = file.package === "vega-datasets" ? readDataset(`data/${file.path}`) : null;
  return content === null ? [] : [{ ...file, content }];
});

describe.skipIf(datasets.length === 0)("real data sets", () => {
  it("are at hand in part", () => expect(atHand.length).toBeGreaterThan(20));

  it.each(atHand)("$path becomes what it is", async (file) => {
    const verdict = await inspect(file.content, file.path.endsWith(".csv") ? "csv" : "json");
    expect(verdict).toMatchObject({ ok: true, inspection: { kind: file.inspection } });
    if (!verdict.ok || verdict.inspection?.kind !== "table") return;
    expect(verdict.inspection.row_count).toBe(file.row_count);
    const columns = file.columns.map(({ name, blanks, type_likely }) => ({
      name,
      blanks,
      type: type_likely,
    }));
    expect(verdict.inspection.columns).toEqual(columns);
  });
});
