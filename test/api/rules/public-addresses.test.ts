import { describe, expect, test } from "vitest";
import { METADATA_NAMES } from "../../../shared/reading/metadata/documents.ts";
import { CITATION_FILES } from "../../../shared/text/citations/citation.ts";
import { connectAuthor, publishNew, request } from "../../support/agent.ts";
import { openService, untilJobsAreDone } from "../../support/service.ts";

const get = (url: string, headers: Record<string, string> = {}) =>
  request(service, { method: "GET", url: url.replace("/media", mediaPath), headers });

const CHART = JSON.stringify({
  mark: "bar",
  data: { values: [{ day: "Monday", mm: 4 }] },
  encoding: { x: { field: "day", type: "nominal" }, y: { field: "mm", type: "quantitative" } },
});
const service = await openService();
const agent = await connectAuthor(service, {
  handle: "tidewatch",
  sections: [{ slug: "reports", name: "Reports" }],
});
const asset = (await agent.upload("readings.csv", "station,height_m\nBremen,4.12\n")).json.data;
const attachments = [{ asset_id: asset.id, label: "Hourly" }];
await publishNew(agent, { type: "dataset", payload: { title: "Gauges", attachments } });
const payload = { title: "November surge", body_markdown: `Rain.\n\n\`\`\`chart\n${CHART}\n\`\`\`` };
await publishNew(agent, { section: "reports", payload });
const mediaPath = `/media/${asset.id}`;
await untilJobsAreDone(service);

const GROUPS = "group[0][column]=station&blank[]=NA";
const DOCUMENTS = [...CITATION_FILES, ...METADATA_NAMES];
const CHARTS = ["charts", "revisions/1/charts"].flatMap((folder) =>
  ["svg", "png", "csv", "json"].map((format) => `/${folder}/1.${format}`),
);
const forMinute = (url: string): [string, string] => [url, "public, max-age=60"];
const forFive = (url: string): [string, string] => [url, "public, max-age=300"];
const DATA: [url: string, cache: string][] = [
  ["/api/v1/topics", "public, max-age=300"],
  ...["", "/revisions", "/revisions/1", "/revisions/1..1"]
    .map((end) => `${end}.json`)
    .concat(CHARTS)
    .map((end) => forMinute(`/@tidewatch/november-surge${end}`)),
  ...["", "/revisions/1"]
    .flatMap((folder) => DOCUMENTS.map((file) => `/@tidewatch/gauges${folder}/${file}`))
    .map(forMinute),
  ...["rows", "stats", `query?${GROUPS}`, `query/all.csv?${GROUPS}`, `query/all.ndjson?${GROUPS}`]
    .concat(`diff?base=${asset.id}`)
    .map((end) => `/media/${end}`)
    .map(forMinute),
  ...["csv", "ndjson"].map((ending): [string, string] => [`/media/rows/all.${ending}`, "no-cache"]),
  [`/oembed?url=${encodeURIComponent("http://localhost:3000/@tidewatch/gauges")}`, "public, max-age=60"],
  ...["/@tidewatch/profile.json", "/@tidewatch/november-surge.md"].map(forMinute),
  ...["", "/@tidewatch", "/@tidewatch/section/reports"].map((folder) => forFive(`${folder}/feed.xml`)),
  ...["", "/@tidewatch/profile", "/@tidewatch/section/reports"].map((folder) =>
    forFive(`${folder}/feed.json`),
  ),
  ...["xml", "json"].map((ending) => forFive(`/@tidewatch/november-surge/changes.${ending}`)),
];
const PAGES = [
  "/",
  "/@tidewatch",
  "/@tidewatch/section/reports",
  "/@tidewatch/november-surge",
  "/@tidewatch/november-surge/revisions",
  "/@tidewatch/november-surge/revisions/1",
];

describe.each([...DATA, ["/media/readings.csv", "no-cache"] as const])("%s", (url, cache) => {
  test("is readable cross-origin, cached, limited in the open, and sets no cookie", async () => {
    const reply = await get(url, { origin: "https://elsewhere.example", cookie: "__Host-bs=x" });
    expect(reply.status).toBe(200);
    expect(reply.headers).toMatchObject({
      "access-control-allow-origin": "*",
      "cache-control": cache,
      "cross-origin-resource-policy": "cross-origin",
      "x-content-type-options": "nosniff",
    });
    for (const name of ["ETag", "Retry-After", "RateLimit", "RateLimit-Policy", "Link"]) {
      expect(String(reply.headers["access-control-expose-headers"]).split(", ")).toContain(name);
    }
    expect(reply.headers["access-control-allow-credentials"]).toBeUndefined();
    expect(reply.headers["set-cookie"]).toBeUndefined();
    expect(reply.headers["x-robots-tag"]).toBeUndefined();
  });

  test("answers 304 to whoever has it, in every form of If-None-Match", async () => {
    const { etag } = (await get(url)).headers;
    expect(etag).toMatch(/^"[0-9a-f]{32,64}"$/);
    for (const known of [`${etag}`, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const reply = await get(url, { "if-none-match": known });
      expect([known, reply.status, reply.text, reply.headers.etag]).toEqual([known, 304, "", etag]);
      expect(reply.headers["cache-control"]).toBe(cache);
      expect(reply.headers["access-control-allow-origin"]).toBe("*");
    }
    expect((await get(url, { "if-none-match": '"other"' })).status).toBe(200);
  });

  test("answers HEAD with the same headers and no bytes", async () => {
    const whole = await get(url);
    const head = await request(service, { method: "HEAD", url: url.replace("/media", mediaPath) });
    expect([head.status, head.text]).toEqual([200, ""]);
    for (const name of ["etag", "content-type", "content-length", "content-disposition"])
      expect([name, head.headers[name]]).toEqual([name, whole.headers[name]]);
  });

  test("answers a preflight and refuses other methods, both with CORS", async () => {
    const path = url.replace("/media", mediaPath);
    const headers = { origin: "https://elsewhere.example", "access-control-request-method": "GET" };
    const preflight = await request(service, { method: "OPTIONS", url: path, headers });
    expect([preflight.status, preflight.text]).toEqual([204, ""]);
    expect(preflight.headers["access-control-allow-origin"]).toBe("*");
    expect(preflight.headers["access-control-allow-methods"]).toContain("GET");
    const posted = await request(service, { method: "POST", url: path });
    expect([posted.status, posted.headers["access-control-allow-origin"]]).toEqual([405, "*"]);
  });

  test("takes query parameters that it does not know as its kind does", async () => {
    const { status, json } = await get(`${url}${url.includes("?") ? "&" : "?"}zzz=1`);
    // The addresses of data refuse them: rows of which a filter was dropped would be another answer.
    const refuses = url.startsWith("/media/") && url !== "/media/readings.csv";
    if (refuses) expect([status, Object.keys(json.errors)]).toEqual([422, ["zzz"]]);
    else expect(status).toBe(200);
  });
});

test.each([
  "/@nobody/profile.json",
  "/@tidewatch/nothing.json",
  "/@TIDEWATCH/profile.json",
  "/@__proto__/profile.json",
  ...["/@tidewatch/section/none/feed.xml", "/@tidewatch/section/none/feed.json"],
  ...["/@nobody.md", "/@tidewatch/nothing.md", "/@tidewatch/november-surge/revisions/2.md"],
  ...["/@nobody/feed.xml", "/@nobody/profile/feed.json", "/@tidewatch/feed.json"],
  ...["/@tidewatch/nothing/changes.xml", "/@tidewatch/nothing/changes.json"],
  "/@tidewatch/section/changes.xml",
  "/@nobody/november-surge/revisions.json",
  "/@tidewatch/november-surge/revisions/2.json",
  "/@tidewatch/november-surge/revisions/0x1.json",
  "/id/01ARZ3NDEKTSV4RRFFQ69G5FAV",
  "/id/not-an-id",
  "/media/01ARZ3NDEKTSV4RRFFQ69G5FAV/rows",
  "/media/not-an-id/rows",
  "/media/01ARZ3NDEKTSV4RRFFQ69G5FAV/readings.csv",
])("%s is 404 in JSON with CORS, whatever is accepted", async (url) => {
  for (const accept of ["*/*", "application/json"]) {
    const reply = await request(service, { method: "GET", url, headers: { accept } });
    expect([reply.status, reply.json.code]).toEqual([404, "not_found"]);
    expect(reply.headers).toMatchObject({ "access-control-allow-origin": "*", "cache-control": "no-store" });
  }
});

test.each(PAGES)("the page %s is asked for anew by its ETag and sets no cookie", async (url) => {
  const reply = await get(url, { cookie: "__Host-bs=x" });
  expect(reply.status).toBe(200);
  expect(reply.headers).toMatchObject({
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-cache",
    "x-content-type-options": "nosniff",
    "referrer-policy": "strict-origin-when-cross-origin",
  });
  const policy = String(reply.headers["content-security-policy"]);
  for (const rule of [
    "default-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "form-action 'self'",
  ])
    expect(policy).toContain(rule);
  expect(policy).not.toMatch(/unsafe|script-src/);
  expect(reply.headers["set-cookie"]).toBeUndefined();
  const again = await get(url, { "if-none-match": String(reply.headers.etag) });
  expect([again.status, again.text]).toEqual([304, ""]);
});

test("a download is an attachment that no browser opens as a page", async () => {
  const reply = await get("/media/readings.csv");
  expect(reply.headers).toMatchObject({
    "content-type": "text/csv; charset=utf-8",
    "content-length": "29",
    "content-disposition": `attachment; filename="readings.csv"; filename*=UTF-8''readings.csv`,
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; sandbox",
  });
  const head = await request(service, { method: "HEAD", url: `${mediaPath}/readings.csv` });
  expect([head.status, head.text, head.headers["content-length"]]).toEqual([200, "", "29"]);
  expect((await get("/media/other.csv")).status).toBe(404);
  expect((await get("/media/Readings.csv")).status).toBe(404);
});

test("a feed knows when it changed last", async () => {
  const reply = await get("/@tidewatch/feed.xml");
  expect(reply.headers["content-type"]).toBe("application/atom+xml; charset=utf-8");
  const modified = String(reply.headers["last-modified"]);
  expect(Date.parse(modified)).toBe(service.clock.nowMs);
  expect((await get("/@tidewatch/feed.xml", { "if-modified-since": modified })).status).toBe(304);
  const earlier = new Date(service.clock.nowMs - 1000).toUTCString();
  expect((await get("/@tidewatch/feed.xml", { "if-modified-since": earlier })).status).toBe(200);
  const both = { "if-modified-since": modified, "if-none-match": '"other"' };
  expect((await get("/@tidewatch/feed.xml", both)).status).toBe(200);
});

test("a work whose slug is section has its list of revisions, and each of them, as every other", async () => {
  const creation = await publishNew(agent, { slug: "section" });
  const page = await get("/@tidewatch/section");
  expect(page.text).toContain('href="/@tidewatch/section/revisions"');
  const list = await get("/@tidewatch/section/revisions");
  expect([list.status, list.text.includes(creation.title)]).toEqual([200, true]);
  expect((await get("/@tidewatch/section/revisions/1")).status).toBe(200);
  expect((await get("/@tidewatch/section/reports")).status).toBe(200);
  expect((await get("/@tidewatch/section/nothing")).status).toBe(404);
});

test.each(["", "/november-surge", "/november-surge.json", "/feed.xml", "/section/reports", "/profile.json"])(
  "/%%40tidewatch%s is the address with the @, which some libraries encode",
  async (end) => {
    const plain = await get(`/@tidewatch${end}`);
    const encoded = await get(`/%40tidewatch${end}`);
    expect([encoded.status, encoded.text === plain.text]).toEqual([200, true]);
  },
);
