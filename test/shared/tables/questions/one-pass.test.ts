import { describe, expect, it } from "vitest";
import { prepareFile } from "../rows/reading.ts";
import { asJson, askData, askRefused, QUERY_LIMITS } from "./asking.ts";

const PRICES = 'city,price\nBremen,0.1\nHusum,0.2\n"Bremen",NA\n,0.3\n';

describe("a file over the bytes of a question", () => {
  const limits = { ...QUERY_LIMITS, queryBytes: 10 };
  it("answers what only filters, page by page", async () => {
    const file = await prepareFile(PRICES, "csv");
    const question = {
      ...{ filter: [{ column: "city", op: "ne" }], q: "0.", blank: ["NA"] },
      ...{ columns: ["city", "price"], offset: 1, limit: 1 },
    };
    expect(await askData(file, asJson(question), limits)).toMatchObject({
      ...{ rows: [["Husum", "0.2"]], returned: 1, matched: 2, total: 4, next_offset: null },
      ...{ groups: null, facets: [] },
    });
    expect((await askData(file, "", limits)).matched).toBe(4);
  });

  it.each([
    { group: [{ column: "city" }] },
    { aggregate: [{ op: "count" }] },
    { sort: [{ column: "price" }] },
    { facet: ["city"] },
  ])("is not asked for %o", async (question) => {
    const refused = await askRefused(await prepareFile(PRICES, "csv"), asJson(question), limits);
    expect([refused.code, refused.message]).toEqual([
      "too_large_to_read",
      "A file over 10 bytes takes no questions with groups, sorts or facets here.",
    ]);
  });
});
