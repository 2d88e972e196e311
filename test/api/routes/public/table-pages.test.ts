import Papa from "papaparse";
import { describe, expect, test } from "vitest";
import { type Json, makeCreation, publish, publishNew, request } from "../../../support/agent.ts";
import { uploadReady } from "../../../support/inspection.ts";
import { readAttribute, readText } from "../../pages/dom.ts";
import { cellsOf, chipsOf, follow, headingOf, linkOf, linksOf, openTableSite, pathOf } from "./table-site.ts";

const { service, agent, creations, open, get, pageOf } = await openTableSite(["prices.csv", "two.json"]);

const QUESTIONS = [
  "",
  "offset=50",
  "offset=700&sort[0][column]=price&sort[0][order]=desc",
  "filter[0][column]=city&filter[0][op]=eq&filter[0][value]=Bremen&q=true",
  "filter[0][column]=city&filter[0][op]=eq",
  "filter[0][column]=city&filter[0][op]=in&filter[0][value][]=Husum&filter[0][value][]=&match=any&columns[]=price",
  "group[0][column]=city&aggregate[0][op]=count&aggregate[1][op]=sum&aggregate[1][column]=price&blank[]=NA",
  `question=${encodeURIComponent('{"filter":[{"column":"price","op":"gt","value":"700"}],"limit":7}')}`,
];

describe("the page of a table", () => {
  test("shows the rows of the query, and leads to them as JSON and as CSV, and to the table as Parquet", async () => {
    for (const query of QUESTIONS) {
      const dom = await open("prices.csv", query);
      const { json } = await get(new URL(linkOf(dom, "this page as JSON")).href);
      const shown = json.data.rows.map((row: unknown[]) =>
        row.map(
          (cell) =>
            [...String(cell ?? "")].slice(0, 160).join("") +
            ([...String(cell ?? "")].length > 160 ? "…" : ""),
        ),
      );
      expect([query, cellsOf(dom)]).toEqual([query, shown.slice(0, query.includes("limit") ? 7 : 50)]);
      const { text } = await get(new URL(linkOf(dom, "as CSV")).href);
      const found = json.data.groups ?? json.data.matched;
      expect([query, Papa.parse(text, { skipEmptyLines: true }).data.length]).toEqual([query, found + 1]);
      expect(new URL(linkOf(dom, "the whole table as Parquet")).pathname).toMatch(/\/rows\/all\.parquet$/);
    }
    const json = await open("two.json");
    expect(cellsOf(json)).toEqual([["1.10"], ['{"b":2.50}']]);
    expect(new URL(linkOf(json, "the whole table as Parquet")).search).toMatch(/^\?table=/);
  });

  test("counts what it found, and turns its pages without a gap", async () => {
    expect(headingOf(await open("prices.csv"))).toBe("720 rows");
    expect(headingOf(await open("prices.csv", "q=Bremen"))).toBe("180 of 720 rows");
    expect(headingOf(await open("prices.csv", "group[0][column]=city"))).toBe("4 groups of 720 rows");
    const seen: string[] = [];
    let query =
      "sort[0][column]=price&sort[0][order]=desc&filter[0][column]=open&filter[0][op]=eq&filter[0][value]=true";
    for (let page = 0; page < 10 && query !== ""; page++) {
      const dom = await open("prices.csv", query);
      seen.push(...dom.all("th", "scope", "row").map(readText));
      query = linkOf(dom, "Next rows").startsWith("no ") ? "" : follow(linkOf(dom, "Next rows"));
    }
    expect([seen.length, new Set(seen).size, seen[0]]).toEqual([240, 240, "718"]);
  });

  test("says of a place behind the last row that the rows end, and leads back to them", async () => {
    const behind = await open("prices.csv", "offset=9000");
    expect(behind.all("p", "class", "empty").map(readText)).toEqual(["The rows end before this place."]);
    expect(follow(linkOf(behind, "Previous rows"))).toBe("offset=670");
    const none = await open("prices.csv", "q=nowhere");
    expect(none.all("p", "class", "empty").map(readText)).toEqual(["No row meets these conditions."]);
  });

  test("sorts by its headings: rising, falling and in the order of the file again", async () => {
    const sorts: (string | null | undefined)[] = [];
    let query = "q=e";
    for (let click = 0; click < 4; click++) {
      const dom = await open("prices.csv", query);
      const head = dom.all("th", "scope", "col").find((one) => readText(one).includes("price"));
      sorts.push(head && readAttribute(head, "aria-sort"));
      query = follow(linksOf(dom).find(([words]) => words === "price")?.[1] ?? "");
    }
    expect(sorts).toEqual([null, "ascending", "descending", null]);
  });

  test("has facets of few different values, each with the way to its rows, which a chip takes away", async () => {
    const dom = await open("prices.csv");
    const facets = dom.all("h3").map(readText);
    expect(facets).toEqual(["By city", "By open"]);
    const husum = await open("prices.csv", follow(linkOf(dom, "Husum")));
    expect([headingOf(husum), chipsOf(husum)]).toEqual(["180 of 720 rows", ["city is Husum"]]);
    const blank = await open("prices.csv", follow(linkOf(dom, "blank")));
    expect([headingOf(blank), chipsOf(blank)]).toEqual(["180 of 720 rows", ["city is blank"]]);
    const both = await open("prices.csv", follow(linkOf(husum, "true")));
    expect(chipsOf(both)).toEqual(["city is Husum", "open is true"]);
    const left = await open("prices.csv", follow(linkOf(both, "city is Husum")));
    expect(chipsOf(left)).toEqual(["open is true"]);
    expect(linkOf(left, "open is true")).toMatch(/\/files\/1$/);
  });

  test("has a form that asks the same again, and an empty value of a condition counts as none", async () => {
    const query =
      "filter[4][column]=price&filter[4][op]=gte&filter[4][value]=700&filter[6][column]=city&filter[6][op]=eq&filter[7][column]=city&filter[7][op]=eq&filter[7][value]=&sort[0][column]=note&utm_source=mail";
    const dom = await open("prices.csv", query);
    expect(chipsOf(dom)).toEqual(["price is at least 700", "city is blank", "sorted by note"]);
    const sent = [...dom.all("input"), ...dom.all("select")].flatMap((field): [string, string][] => {
      const name = readAttribute(field, "name");
      if (name === null) return [];
      if (field.tagName === "input") return [[name, readAttribute(field, "value") ?? ""]];
      const options = field.childNodes.filter((one) => "tagName" in one) as (typeof field)[];
      const chosen = options.find((one) => readAttribute(one, "selected") !== null) ?? options[0];
      return [[name, (chosen && (readAttribute(chosen, "value") ?? readText(chosen))) || ""]];
    });
    const again = await open("prices.csv", new URLSearchParams(sent).toString());
    expect([chipsOf(again).toSorted(), cellsOf(again)]).toEqual([chipsOf(dom).toSorted(), cellsOf(dom)]);
  });

  test("tells a wrong parameter beside its field, with status 422", async () => {
    const faulty: [string, string, string][] = [
      [
        "filter[3][column]=citi&filter[3][op]=eq&filter[3][value]=x",
        "filter-0-column-fault",
        'Did you mean "city"?',
      ],
      ["filter[0][column]=city&filter[0][op]=is&filter[0][value]=x", "filter-0-op-fault", "Use one of eq,"],
      [`q=${"x".repeat(201)}`, "q-q-fault", "at most 200 characters"],
    ];
    for (const [query, id, words] of faulty) {
      const dom = await open("prices.csv", query, 422);
      const fields = [...dom.all("input"), ...dom.all("select")];
      const field = fields.find((one) => readAttribute(one, "aria-describedby") === id);
      expect([query, field && readAttribute(field, "aria-invalid")]).toEqual([query, "true"]);
      expect(readText(dom.all("p", "id", id)[0] as never)).toContain(words);
      expect(cellsOf(dom).flat()).not.toContain("Bremen");
    }
    const others = [
      "limit=x",
      "sort[0][column]=none",
      "row=721",
      "row=x",
      "table=one",
      "question={",
      "filter=1",
    ];
    for (const query of others) {
      const dom = await open("prices.csv", query, 422);
      expect([query, dom.all("p", "class", "fault").length]).toEqual([query, 1]);
    }
    expect((await pageOf("prices.csv", "limit=x")).headers["cache-control"]).toBe("no-store");
    const added = await open("prices.csv", "aggregate[0][op]=sum&aggregate[0][column]=price", 422);
    expect(readText(added.all("p", "class", "fault")[0] as never)).toContain('row 9: "NA" is no number');
  });

  test("is for search engines without a question alone", async () => {
    const bare = await pageOf("prices.csv");
    expect(bare.text).toContain(
      `<link rel="canonical" href="http://localhost:3000${pathOf(creations["prices.csv"])}/files/1">`,
    );
    expect([bare.headers["x-robots-tag"], bare.headers["cache-control"]]).toEqual([undefined, "no-cache"]);
    const asked = await pageOf("prices.csv", "utm=1");
    expect([asked.headers["x-robots-tag"], asked.text.includes('rel="canonical"')]).toEqual([
      "noindex",
      false,
    ]);
    const known = await request(service, {
      method: "GET",
      url: `${pathOf(creations["prices.csv"])}/files/1`,
      headers: { "if-none-match": String(bare.headers.etag) },
    });
    expect(known.status).toBe(304);
    expect(bare.headers["ratelimit-policy"]).toBe('"queries";q=900;w=60');
  });

  test("is 404 for other numbers, for texts, and from the request that closes the work on", async () => {
    for (const number of ["0", "2", "01", "x", "-1"])
      expect((await pageOf("prices.csv", "", number)).status).toBe(404);
    const text = await uploadReady(service, agent, "read.md", "# Read\n");
    const words = { title: "Words", attachments: [{ asset_id: text.id, label: "Words" }] };
    const file = await publishNew(agent, { type: "file", payload: words });
    expect((await get(`${pathOf(file)}/files/1`)).status).toBe(404);
    const attachments = [
      await uploadReady(service, agent, "plain.json", '{"a":1}'),
      await uploadReady(service, agent, "t.csv", "a,b\nsecret,1\n"),
    ].map(({ id }: Json) => ({ asset_id: id, label: id }));
    const payload = { title: "Some files", attachments, show_preview: false };
    const draft = await makeCreation(agent, { type: "dataset", payload });
    const made = await publish(agent, draft, { visibility: "unlisted" });
    const path = `${pathOf(made)}/files`;
    expect((await get(`${path}/1`)).status).toBe(404);
    for (const query of ["", "?row=1", "?q=secret", "?group[0][column]=a"]) {
      const columns = await get(`${path}/2${query}`);
      expect([columns.status, columns.headers["x-robots-tag"]]).toEqual([200, "noindex"]);
      expect(columns.text.replace(/q=secret/g, "")).not.toContain("secret");
      expect(columns.text).toContain("The author shows the columns here");
    }
    expect((await get(pathOf(made))).text).toContain(`${path}/2`);
    await agent.send("POST", `/creations/${made.id}/unpublish`, {}, { ifMatch: made.lock_version });
    const closed = await get(`${path}/2`);
    const unknown = await get(`${path.replace("some", "none")}/3`);
    expect([closed.status, closed.text]).toEqual([404, unknown.text]);
  });
});
