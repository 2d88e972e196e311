import { expect, test } from "vitest";
import { makeNextParquet } from "../../../../shared/datasets/parquet/make-parquet.ts";
import { measureAsset } from "../../../../shared/datasets/uploads/statistics.ts";
import { request } from "../../../support/agent.ts";
import { publishFiles } from "../../../support/published-files.ts";
import { openService } from "../../../support/service.ts";

const service = await openService({ workers: false, limits: { queryBytes: 12_000 } });
const { ids } = await publishFiles(service, { "large.csv": `a\n${"x\n".repeat(6_001)}` });
const id = ids["large.csv"] ?? "";
const read = (what: string) => request(service, { method: "GET", url: `/media/${id}/${what}` });

test("a file that takes no questions is there as Parquet, of which DuckDB is asked", async () => {
  const refused = await read("query?group[0][column]=a");
  const url = `${service.deps.config.siteUrl}/media/${id}/rows/all.parquet`;
  expect([refused.status, refused.json.code]).toEqual([409, "too_large_to_read"]);
  const line = `SELECT * FROM read_parquet('${url}') LIMIT 10;`;
  expect(refused.json.hint).toBe(`Ask DuckDB over the file as Parquet: ${line}`);
  const exported = await read("query/all.csv?group[0][column]=a");
  expect([exported.status, exported.json.hint]).toEqual([409, refused.json.hint]);
  await makeNextParquet(service.deps, service.threads, id);
  expect((await read("rows/all.parquet")).status).toBe(200);
});

test("its statistics are made behind it", async () => {
  const waiting = await read("stats");
  expect([waiting.status, waiting.json.code, waiting.headers["retry-after"]]).toEqual([
    503,
    "http_error",
    "5",
  ]);
  await measureAsset(service.deps, service.threads, id);
  expect((await read("stats")).json.data.columns[0]).toMatchObject({ name: "a", distinct: 1, count: 6_001 });
});
