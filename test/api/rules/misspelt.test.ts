import { describe, expect, test } from "vitest";
import { connectAuthor, publishNew, request } from "../../support/agent.ts";
import { openService } from "../../support/service.ts";
import { call } from "../mcp/rpc.ts";

const service = await openService();
const agent = await connectAuthor(service);
const { json } = await agent.upload("readings.csv", "station,height\nHusum,4.4\n");
const payload = { title: "Readings", attachments: [{ asset_id: json.data.id, label: "Readings" }] };
const creation = await publishNew(agent, { type: "dataset", payload });
const parts: Record<string, string> = {
  ":creation": creation.id,
  ":asset": json.data.id,
  ":page": "creations",
  ":revision": "1",
  ":handle": agent.handle,
};

const get = (url: string) =>
  request(service, { method: "GET", url, headers: { authorization: `Bearer ${agent.token}` } });
const fill = (url: string) => url.replace(/:\w+/g, (part) => parts[part] ?? part);

describe("a misspelt argument", () => {
  test("is told where it belongs, and one that is missing where it comes from", async () => {
    const { json } = await call(service, agent.token, "create_creation", {
      type: "story",
      title: "Surge",
      idempotency_key: crypto.randomUUID(),
    });
    expect(json.errors.title).toEqual(["The title belongs inside payload."]);
    const swapped = await agent.send("POST", "/creations", { tpye: "story", payload: { titel: "Surge" } });
    expect(swapped.json.errors.tpye[0]).toContain("Did you mean type?");
    const missing = await call(service, undefined, "read_agent", {});
    expect(missing.json.errors.handle[0]).toContain("search_agents");
  });

  test.each([
    ["create_creation", "publish", {}],
    ["create_creation", "schedule", { publish_at: "2100-01-01T00:00:00Z" }],
    ["create_creation", "publish", true],
    ["update_creation", "publish", {}],
    ["update_creation", "schedule", { publish_at: "2100-01-01T00:00:00Z" }],
    ["update_creation", "type", "dataset"],
    ["update_creation", "slug", creation.slug],
  ])("%s does nothing with %s, which only its request takes", async (tool, name, value) => {
    const isNew = tool === "create_creation";
    const own = isNew
      ? { type: "dataset" }
      : { creation_id: creation.id, lock_version: creation.lock_version };
    const { json } = await call(service, agent.token, tool, {
      ...{ ...own, payload: { ...payload, title: "Changed" }, change_summary: "Changed.", [name]: value },
    });
    expect([json.status, Object.keys(json.errors)]).toEqual([422, [name]]);
    expect(json.message).toMatch(`There is no argument ${name}.`);
    const kept = await agent.get(`/creations/${creation.id}`);
    expect(kept.json.data.lock_version).toBe(creation.lock_version);
    expect((await agent.get("/creations")).json.meta.total).toBe(1);
  });
});

/** Programs of other sites send parameters of their own here. */
const IGNORING = /^\/oembed$|\/charts\/:chart\.png$/;

describe("a misspelt parameter", () => {
  test("is refused with the nearest one at every address that takes some", async () => {
    const taking = service.routes.filter(
      ({ method, query, url }) => method === "GET" && query !== undefined && !IGNORING.test(url),
    );
    expect(taking.map(({ url }) => url).toSorted()).toEqual([
      "/api/v1/agent/profile",
      "/api/v1/assets",
      "/api/v1/creations",
      "/api/v1/creations/:creation",
      "/api/v1/creations/:creation/reads",
      "/api/v1/creations/:creation/revisions",
      "/api/v1/creations/:creation/revisions/:revision",
      "/api/v1/docs",
      "/api/v1/docs/:page",
      "/api/v1/events",
      "/api/v1/openapi.json",
      "/api/v1/search/agents",
      "/api/v1/search/creations",
      "/api/v1/watches",
      "/api/v1/watches/questions",
      "/media/:asset/diff",
      "/media/:asset/diff/all.csv",
      "/media/:asset/diff/all.ndjson",
      "/media/:asset/query",
      "/media/:asset/query/all.csv",
      "/media/:asset/query/all.ndjson",
      "/media/:asset/rows",
      "/media/:asset/rows/all.csv",
      "/media/:asset/rows/all.ndjson",
      "/media/:asset/rows/all.parquet",
      "/media/:asset/stats",
    ]);
    for (const { url, query } of taking) {
      const names = Object.keys(query?.shape ?? {}).map((name) => name.replace(/\[.*$/, ""));
      for (const name of new Set(names.filter((each) => each.length > 1))) {
        const misspelt = `${name}${name.at(-1)}`;
        const { status, json } = await get(`${fill(url)}?${misspelt}=1`);
        expect([url, status, json.code, Object.keys(json.errors)]).toEqual([
          url,
          422,
          "validation_failed",
          [misspelt],
        ]);
        expect(json.errors[misspelt][0]).toContain(`Did you mean ${name}?`);
        expect(json.errors[misspelt][0]).toMatch(/There (are|is only) /);
      }
    }
  });

  test("of two letters in the wrong order is told with the right one, and every parameter is listed", async () => {
    for (const [url, meant] of [
      ["/api/v1/creations?pgae=1", "page"],
      [`/media/${parts[":asset"]}/query?srot=1`, "sort"],
    ] as const) {
      const { json } = await get(url);
      expect(json.message).toContain(`Did you mean ${meant}?`);
    }
    const { json } = await get(`/media/${parts[":asset"]}/query?zzz=1`);
    expect(json.errors.zzz[0]).toContain("sort[n][column], sort[n][order]");
    expect(json.errors.zzz[0]).not.toContain(" more");
  });

  test("is ignored by the JSON of a difference, and an empty part of an address is not found", async () => {
    await agent.send(
      "PATCH",
      `/creations/${creation.id}`,
      { payload, change_summary: "Again.", publish: {} },
      { ifMatch: creation.lock_version },
    );
    const diff = await get(`/@${agent.handle}/${creation.slug}/revisions/1..2.json?utm_source=1`);
    expect(diff.status).toBe(200);
    for (const url of ["/log/tile/entries/", "/log/tile/0", "/log/tile/"]) {
      expect([url, (await get(url)).status]).toEqual([url, 404]);
    }
    expect((await request(service, { method: "POST", url: "/log/checkpoint" })).status).toBe(405);
  });

  test("is refused at every address of the agent interface that takes none", async () => {
    const others = service.routes.filter(
      ({ method, audience, query }) => method === "GET" && audience === "agent" && query === undefined,
    );
    expect(others.length).toBeGreaterThan(2);
    for (const { url } of others) {
      const { status, json } = await get(`${fill(url)}?zzz=1`);
      expect([url, status, json.errors.zzz]).toEqual([
        url,
        422,
        ["There is no query parameter zzz. This address takes none."],
      ]);
    }
  });

  test("is told as it was sent where only its brackets are wrong", async () => {
    const { json } = await get("/api/v1/creations?visibility[]=public");
    expect(json.errors.visibility[0]).toMatch(
      /^There is no query parameter visibility\[\]\. Did you mean visibility\?/,
    );
  });

  test("is told with every other fault of the query", async () => {
    const faulty = "state=none&visibility=x&page=0&per_page=-1&statee=1";
    expect(Object.keys((await get(`/api/v1/creations?${faulty}`)).json.errors).toSorted()).toEqual([
      "page",
      "per_page",
      "state",
      "statee",
      "visibility",
    ]);
    const search = "type=none&page=0&topic=none&has_source=true&query=a&query=b";
    expect(Object.keys((await get(`/api/v1/search/creations?${search}`)).json.errors).toSorted()).toEqual([
      "has_source",
      "page",
      "query",
      "topic",
      "type",
    ]);
    const rows =
      "fliter=1&columns[]=hight&filter[0][column]=staton&filter[0][op]=is&filter[0][value]=a&limit=0";
    const { json } = await get(`${fill("/media/:asset/rows")}?${rows}`);
    expect(Object.keys(json.errors).toSorted()).toEqual([
      "columns.0",
      "filter.0.column",
      "filter.0.op",
      "fliter",
      "limit",
    ]);
    expect(json.errors["columns.0"]).toEqual([
      'The table has no such column. Did you mean "height"? It has "station", "height". Names are exact.',
    ]);
    const stats = await get(`${fill("/media/:asset/stats")}?tabel=a&table=b&table=c`);
    expect(Object.keys(stats.json.errors).toSorted()).toEqual(["tabel", "table"]);
  });

  test("is ignored where people's links carry it: pages, and public addresses that take none", async () => {
    const { slug } = (await agent.get(`/creations/${parts[":creation"]}`)).json.data;
    for (const url of [
      `/@${agent.handle}/${slug}`,
      `/@${agent.handle}/${slug}.json`,
      ...["cite.ris", "datapackage.json", "croissant.json"].map((end) => `/@${agent.handle}/${slug}/${end}`),
      "/search",
      "/",
      "/api/v1/topics",
    ]) {
      expect([url, (await get(`${url}?utm_source=mail&v=2`)).status]).toEqual([url, 200]);
    }
  });
});
