import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { connectAuthor, publishNew, type Reply, request, type TestAgent } from "../../support/agent.ts";
import { runs } from "../../support/depth.ts";
import { uploadReady } from "../../support/inspection.ts";
import { openService } from "../../support/service.ts";
import { NAUGHTY_STRINGS, wildBody, wildText } from "../../support/wild-bodies.ts";

const many = 1_000_000;
const service = await openService({
  workers: false,
  limits: {
    creations: many,
    publicationsPerDay: many,
    updatesPerDay: many,
    processingUploads: many,
    tokensPerAgent: many,
  },
});
let agent: TestAgent = await connectAuthor(service, { handle: "tidewatch" });
const asset = await uploadReady(service, agent, "readings.csv", "station,height_m\nBremen,4.12\n");
const payload = { title: "Gauges", attachments: [{ asset_id: asset.id, label: "L" }] };
const live = await publishNew(agent, { type: "dataset", slug: "gauges", payload });
const { paths } = (await request(service, { method: "GET", url: "/api/v1/openapi.json" })).json;
const routes: { method: "GET" | "POST" | "PATCH" | "DELETE"; url: string }[] = listRoutes(paths);
if (routes.length < 15) throw new Error("the document lists too few routes to be tested by it");

function listRoutes(paths: Record<string, object>): typeof routes {
  return Object.entries(paths).flatMap(([path, methods]) => {
    const url = /^\/(api|@|media|feed)/.test(path) ? path : `/api/v1${path}`;
    const known = Object.keys(methods).filter((method) =>
      ["get", "post", "patch", "delete"].includes(method),
    );
    return known.map((method) => ({ method: method.toUpperCase() as "GET", url }));
  });
}

/** No answer is a fault of ours, and every refusal is JSON. */
function expectSound(reply: Reply, told: string): void {
  // No worker makes a Parquet file here, and its reader is told when to ask again.
  const isAwaited =
    reply.status === 503 && told.includes("all.parquet") && reply.headers["retry-after"] === "2";
  expect(`${told} ${reply.status >= 500 && !isAwaited}`).toBe(`${told} false`);
  // The form of a refusal is that of every answer that a test gets.
  if (reply.status >= 400 && reply.text !== "") expect(reply.json, told).not.toBeNull();
}

const request$ = fc.record({
  route: fc.nat(),
  parameter: fc.oneof(wildText, fc.constant("good")),
  second: wildText,
  body: wildBody,
  query: fc.dictionary(
    fc.oneof(wildText, fc.constantFrom("page", "per_page", "limit", "offset", "columns[]", "filter[0][op]")),
    wildText,
    { maxKeys: 2 },
  ),
  key: fc.option(fc.constantFrom("good", "abc", "'", '""', "0"), { nil: "good" }),
  ifMatch: fc.constantFrom("1", "2", '"1"', "*", "W/", "x", "9".repeat(30)),
});

function toUrl(url: string, parameter: string, second: string, query: Record<string, string>): string {
  const good: Record<string, string> = {
    creation: live.id,
    revision: live.latest_revision.id,
    asset: asset.id,
    handle: "tidewatch",
    slug: "gauges",
  };
  let isFirst = true;
  const path = url.replace(/[:{](\w+)\}?/g, (_, name: string) => {
    const value =
      isFirst && parameter !== "good"
        ? parameter
        : Math.abs(second.length % 3) === 0
          ? second
          : (good[name] ?? second);
    isFirst = false;
    return encodeURIComponent(value.toWellFormed());
  });
  const pairs = Object.entries(query).map((pair) =>
    pair.map((part) => encodeURIComponent(part.toWellFormed())).join("="),
  );
  return pairs.length === 0 ? path : `${path}?${pairs.join("&")}`;
}

test("no route answers 500 to anything, and every refusal has its shape", async () => {
  await fc.assert(
    fc.asyncProperty(request$, async ({ route, parameter, second, body, query, key, ifMatch }) => {
      const { method, url } = routes[route % routes.length] as (typeof routes)[number];
      const target = toUrl(url, parameter, second, query);
      const reply = await request(service, {
        method,
        url: target,
        headers: {
          authorization: `Bearer ${agent.token}`,
          "idempotency-key": key === "good" ? randomUUID() : key,
          "if-match": ifMatch,
          ...(method === "GET" ? {} : { "content-type": "application/json" }),
        },
        ...(method === "GET" ? {} : { payload: JSON.stringify(body) }),
      });
      expectSound(reply, `${method} ${target} ${JSON.stringify(body)}`);
      if (/token\/rotate$/.test(url) && reply.status === 200)
        agent = { ...agent, token: reply.json.data.token };
    }),
    { numRuns: runs(1000), seed: 20261120, endOnFailure: true },
  );
});

test("every naughty string as a section, a slug, a key, a filter and a token is answered soundly", async () => {
  for (const sent of NAUGHTY_STRINGS.filter((_, place) => place % 4 === 0)) {
    const story = { type: "story", payload: { title: "t", body_markdown: sent === "" ? "b" : sent } };
    const encoded = encodeURIComponent(sent.toWellFormed());
    const visible = sent.replace(/[^\x20-\x7e]/g, "");
    const replies = await Promise.all([
      agent.send("POST", "/creations", { ...story, section: sent }),
      agent.send("POST", "/creations", { ...story, slug: sent }),
      agent.send("POST", "/creations", story, { key: visible }),
      agent.get("/creations", { "if-none-match": visible, accept: visible }),
      request(service, {
        method: "GET",
        url: "/api/v1/agent",
        headers: { authorization: `Bearer ${visible}` },
      }),
      request(service, {
        method: "GET",
        url: `/media/${asset.id}/rows?filter[0][column]=station&filter[0][op]=contains&filter[0][value]=${encoded}`,
      }),
      request(service, {
        method: "GET",
        url: `/@tidewatch/gauges/revisions/${encoded}`,
        headers: { accept: "application/json" },
      }),
      request(service, { method: "GET", url: `/@${encoded}/${encoded}.json` }),
    ]);
    for (const reply of replies) {
      if (String(reply.headers["content-type"]).startsWith("application/json"))
        expectSound(reply, JSON.stringify(sent));
      else expect(reply.status).toBeLessThan(500);
    }
  }
});
