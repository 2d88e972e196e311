import { describe, expect, it } from "vitest";
import { asJson, askRefused, prepareFile } from "./asking.ts";

describe("an unknown column", () => {
  const toldOf = async (question: object) =>
    (await askRefused(await prepareFile("station,height\nHusum,4.4\n", "csv"), asJson(question))).errors;
  const LISTED = 'Did you mean "station"? It has "station", "height". Names are exact.';

  it("is told with the columns that there are in the first of each member", async () => {
    const named = { column: "staton" };
    const asked = [
      { ...named, op: "eq", value: "a" },
      { column: "hight", op: "eq", value: "a" },
    ];
    const told = await toldOf({ columns: ["staton", "x"], filter: asked, sort: [named], facet: ["staton"] });
    const listed = ["columns.0", "facet.0", "filter.0.column", "sort.0.column"];
    expect(Object.keys(told).toSorted()).toEqual([...listed, "columns.1", "filter.1.column"].toSorted());
    for (const field of listed)
      expect([field, told[field]?.[0]]).toEqual([field, expect.stringContaining(LISTED)]);
  });

  it("is offered to no other member, and none is refused that it may be meant for", async () => {
    const group = [{ column: "staton" }];
    const aggregate = [
      { op: "max", column: "hight" },
      { op: "count", as: "n" },
      { op: "min", column: "hight", as: "low" },
    ];
    const sort = ["staton", "station", "low"].map((column) => ({ column }));
    const having = ["max_hight", "max_height", "nn"].map((column) => ({ column, op: "eq", value: "1" }));
    const told = await toldOf({ group, aggregate, sort, having });
    expect(Object.keys(told).toSorted()).toEqual([
      ...["aggregate.0.column", "aggregate.2.column", "group.0.column", "having.0.column", "having.2.column"],
      "sort.0.column",
    ]);
    expect(told["sort.0.column"]).toEqual([
      'The result has no such column. It has "n", "low". Names are exact.',
    ]);
    expect(told["having.2.column"]?.[0]).toContain('Did you mean n? It has "n", "low".');
    expect(await toldOf({ group, aggregate: [], sort: sort.slice(0, 1) })).toMatchObject({
      "sort.0.column": [expect.not.stringContaining("staton")],
    });
  });
});
