import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { type Dom, readAttribute, readPage, readText } from "../../pages/dom.ts";
import {
  cellsOf,
  findLinks,
  follow,
  HOSTILE,
  headingOf,
  LONG,
  linkOf,
  linksOf,
  NAMES,
  openTableSite,
  pathOf,
} from "./table-site.ts";

const { creations, open, get } = await openTableSite([
  "prices.csv",
  "two.json",
  "hostile.csv",
  "wide.csv",
  "heavy.csv",
]);

describe("the page of a table", () => {
  test("has a tab for each list of a document", async () => {
    const first = await open("two.json");
    const [one, two] = first
      .all("ul", "class", "ear")
      .flatMap((list) => linksOf({ ...first, all: () => findLinks(list) } as Dom));
    expect([one?.[0], two?.[0]]).toEqual(["one", "t & <two>"]);
    const second = await open("two.json", follow(two?.[1] ?? ""));
    expect(cellsOf(second)).toEqual([["9007199254740993"]]);
    expect(cellsOf(await open("two.json", follow(linkOf(second, "b"))))).toEqual([["9007199254740993"]]);
    await open("two.json", "table=three", 422);
  });

  test("shows a whole row with the cells that the table cuts", async () => {
    const table = await open("prices.csv");
    expect(cellsOf(table)[3]?.[3]).toBe(`${[...LONG.replaceAll('"', "")].slice(0, 160).join("")}…`);
    const row = await open("prices.csv", follow(linkOf(table, "4")));
    const cells = row.all("dd").map((cell) => readText(cell).trim());
    expect(cells).toEqual(["blank", "3.50", "true", LONG.replaceAll('"', "")]);
    expect(linkOf(row, "Next row")).toBe("?row=5");
    expect(linkOf(await open("two.json", "table=one&row=1"), "Next row")).toBe("?table=one&row=2");
  });

  test("shows 40 of 10,000 columns, and leads to the others", async () => {
    const dom = await open("wide.csv");
    expect(cellsOf(dom)).toEqual([NAMES.slice(0, 40).map((_, at) => `x${at}`)]);
    const next = await open("wide.csv", follow(linkOf(dom, "Next columns")));
    expect(cellsOf(next)).toEqual([NAMES.slice(40, 80).map((_, at) => `x${at + 40}`)]);
    expect(cellsOf(await open("wide.csv", follow(linkOf(next, "Previous columns"))))).toEqual(cellsOf(dom));
  });

  test("stays under 60 KiB where cells take six bytes a character, and goes on where it stopped", async () => {
    const seen: string[] = [];
    let query = "q=%22";
    for (let page = 0; page < 40 && query !== ""; page++) {
      const dom = await open("heavy.csv", query);
      seen.push(...dom.all("th", "scope", "row").map(readText));
      query = linkOf(dom, "Next rows").startsWith("no ") ? "" : follow(linkOf(dom, "Next rows"));
    }
    expect(seen).toEqual(Array.from({ length: 60 }, (_, at) => String(at + 1)));
  });

  test("takes hostile names as names", async () => {
    const dom = await open("hostile.csv");
    expect(cellsOf(dom)[0]).toEqual(HOSTILE);
    for (const [at, name] of HOSTILE.entries()) {
      const heads = dom.all("th", "scope", "col").slice(1);
      const link = findLinks(heads[at] as never)[0];
      const sorted = await open("hostile.csv", follow(readAttribute(link as never, "href") ?? ""));
      expect([name, cellsOf(sorted)[0]?.[at]]).toEqual([name, "1"]);
      const filter = new URLSearchParams({
        "filter[0][column]": name,
        "filter[0][op]": "eq",
        "filter[0][value]": name,
      });
      expect([name, headingOf(await open("hostile.csv", String(filter)))]).toEqual([name, "1 of 2 rows"]);
    }
  });

  test("has code that uses the data, with the hash of the file, where no question is asked", async () => {
    const dom = await open("prices.csv");
    const code = dom
      .all("code")
      .map(readText)
      .filter((one) => !/\.parquet/.test(one));
    const file = await get(linkOf(readPage((await get(pathOf(creations["prices.csv"]))).text), "CSV, "));
    const hash = createHash("sha256").update(file.text).digest("hex");
    expect(code.map((one) => one.includes(hash))).toEqual(Array(7).fill(true));
    expect((await open("prices.csv", "q=e")).all("code")).toEqual([]);
  });
});
