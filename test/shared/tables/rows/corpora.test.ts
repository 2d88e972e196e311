import { describe, expect, it } from "vitest";
import { readCorpus, readDataset } from "../inspection/sources.ts";
import { ask, prepareFile, type ReadyFile, readJson } from "./reading.ts";

interface RowsCorpus {
  datasets: Record<string, { package: string; path: string }>;
  queries: {
    dataset: string;
    query: string;
    expect: {
      status: number;
      code?: string;
      first_rows?: unknown[][];
      last_row?: unknown[];
      rows?: unknown[][];
      [member: string]: unknown;
    };
  }[];
}

const corpus = readCorpus<RowsCorpus>("rows-queries.json");
const prepared = new Map<string, Promise<ReadyFile>>();

function prepareDataset(name: string): Promise<ReadyFile> | null {
  const source = corpus?.datasets[name];
  const content = source?.package === "vega-datasets" ? readDataset(source.path) : null;
  if (source === undefined || content === null) return null;
  const known = prepared.get(name) ?? prepareFile(content, source.path.endsWith(".csv") ? "csv" : "json");
  prepared.set(name, known);
  return known;
}

// The corpus leaves a limit over the maximum open; the contract cuts it.
const CUT = "limit=501";
const queries = (corpus?.queries ?? []).filter(
  (one) => prepareDataset(one.dataset) !== null && one.query !== CUT,
);

describe.skipIf(corpus === null)("queries over real files", () => {
  it("are at hand in part", () => expect(queries.length).toBeGreaterThan(15));

  it.each(queries)("$dataset?$query is answered as an independent reader answers", async (one) => {
    const ready = await prepareDataset(one.dataset);
    if (ready === null) return;
    const outcome = await ask(ready, one.query);
    const { status, code, first_rows, last_row, ...members } = one.expect;
    if (status !== 200) {
      expect(outcome).toMatchObject({ ok: false, code });
      return;
    }
    const data = outcome.ok ? JSON.parse(readJson(outcome)) : outcome;
    expect(data).toMatchObject(members);
    if (first_rows !== undefined) expect(data.rows.slice(0, first_rows.length)).toEqual(first_rows);
    if (last_row !== undefined) expect(data.rows.at(-1)).toEqual(last_row);
  });
});
