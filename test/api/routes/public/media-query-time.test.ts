import { expect, test } from "vitest";
import { request } from "../../../support/agent.ts";
import { publishFiles } from "../../../support/published-files.ts";
import { openService } from "../../../support/service.ts";

const service = await openService({ workers: false, queryTimeoutMs: 1 });
const rows = Array.from({ length: 20_000 }, (_, n) => `${n},${n * 7}`);
const { ids } = await publishFiles(service, {
  "long.csv": `a,b\n${rows.join("\n")}\n`,
  "other.csv": "a,b\n1,2\n",
});

test.each([
  ["a question", "query?sort[0][column]=b", /question takes too long\. Filter first/],
  ["an export of a question", "query/all.csv?sort[0][column]=b", /question takes too long\. Filter first/],
  ["a comparison", "diff?base=OTHER", /comparison takes too long/],
])("%s that takes a thread too long is refused, and the rows stay readable", async (_, path, words) => {
  const get = (end: string) =>
    request(service, {
      method: "GET",
      url: `/media/${ids["long.csv"]}/${end.replace("OTHER", ids["other.csv"] ?? "")}`,
    });
  const { status, json, headers } = await get(path);
  expect([status, json.code, headers["access-control-allow-origin"]]).toEqual([
    409,
    "too_large_to_read",
    "*",
  ]);
  expect(json.message).toMatch(words);
  expect((await get("rows?limit=1")).json.data.rows).toEqual([["0", "0"]]);
});
