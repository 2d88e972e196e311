// Pages of rows and rows with conditions from a table of 10 MiB, beside the SQLite of Node and DuckDB, both in memory.
import { contendOnTable } from "./table-contest.ts";

const ROWS = 128_000;
const filter = (n: number, column: string, op: string, value: string | number) =>
  `filter[${n}][column]=${column}&filter[${n}][op]=${op}&filter[${n}][value]=${value}`;

/** Measures pages in the middle and two conditions with the count of what matched. */
export async function run(): Promise<string[]> {
  return await contendOnTable([
    {
      title: "a page of 100 rows",
      ours: (n) => `/rows?offset=${n}`,
      peers: "page",
      numbers: (round) => (round * 3_571) % ROWS,
      most: { sqlite: 5, duckdb: 1 },
    },
    {
      title: "price >= n and note contains River, with the count",
      ours: (n) => `/rows?${filter(0, "price", "gte", n)}&${filter(1, "note", "contains", "River")}`,
      peers: "matches",
      numbers: (round) => 300 + round,
      most: { sqlite: 1.5, duckdb: 1 },
    },
  ]);
}
