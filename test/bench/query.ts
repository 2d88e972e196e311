// Questions with groups, sums and sorting about a table of 10 MiB, beside the SQLite of Node and DuckDB, both in memory.
import { contendOnTable } from "./table-contest.ts";

const ask = (question: object) => `/query?question=${encodeURIComponent(JSON.stringify(question))}`;

/** Measures groups by a text with exact sums, and the first hundred rows in the order of a number. */
export async function run(): Promise<string[]> {
  return await contendOnTable([
    {
      title: "price >= n, grouped by city, count and sum",
      ours: (n) =>
        ask({
          filter: [{ column: "price", op: "gte", value: String(n) }],
          group: [{ column: "city" }],
          aggregate: [{ op: "count" }, { op: "sum", column: "price" }],
        }),
      peers: "group",
      numbers: (round) => 300 + round,
      most: { sqlite: 1.5, duckdb: 5 },
    },
    {
      title: "sorted by price, a hundred rows",
      ours: (n) => ask({ sort: [{ column: "price" }], limit: 100, offset: n }),
      peers: "sort",
      numbers: (round) => round * 7,
      most: { sqlite: 1.5, duckdb: 5 },
    },
  ]);
}
