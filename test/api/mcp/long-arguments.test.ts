import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { type Json, request } from "../../support/agent.ts";
import { leastCpuMsOf } from "../../support/growth.ts";
import { publishFiles } from "../../support/published-files.ts";
import { openService } from "../../support/service.ts";
import { call } from "./rpc.ts";

// A hundred columns whose names fill more than a client's headers may have, written out in an address.
const NAMES = Array.from({ length: 100 }, (_, at) => `Größe der Welle ${"é".repeat(40)} ${at}`);
const ROWS_A_MINUTE = 100;
const CALLER = "192.0.2.7";

let asset = "";

const service = await openService({ workers: false, limits: { rowsPerMinute: ROWS_A_MINUTE } });
const published = await publishFiles(service, {
  "wide.csv": `${NAMES.join()}\n${NAMES.map((_, at) => at).join()}\n`,
});
const agent = published.agent;
asset = published.ids["wide.csv"] ?? "";

// Only a caller with a token may send more than 64 KiB.
const readRows = (args: Json) =>
  call(service, agent.token, "read_dataset_rows", { asset_id: asset, ...args });

const ONES = `[${"1,".repeat(950_000)}1]`;

describe("a list that comes as JSON text", () => {
  test.each([
    ["columns", ONES, "The JSON text in columns holds more than 10000 values. Send at most 100."],
    [
      "filter",
      "[".repeat(900_000),
      "The JSON text in filter is nested more than 64 levels deep. Send at most 5.",
    ],
    [
      "filter",
      `${"[".repeat(450_000)}${"]".repeat(450_000)}`,
      "The JSON text in filter is nested more than 64 levels deep. Send at most 5.",
    ],
  ])("of any size is a 422 on %s before it is parsed", async (name, text, message) => {
    const { result, ms } = await leastCpuMsOf(() => readRows({ [name]: text }), 1_000);
    expect(result.json).toMatchObject({
      status: 422,
      code: "validation_failed",
      errors: { [name]: [message] },
    });
    expect(ms).toBeLessThan(1_000);
  });

  test("of a body is a 422 in its turn, beside the other faults", async () => {
    const payload = `{"body_markdown":${"[".repeat(70)}${"]".repeat(70)}}`;
    const { json } = await call(service, agent.token, "create_creation", {
      ...{ type: "brief", visibility: 7, payload, idempotency_key: randomUUID() },
    });
    expect(json).toMatchObject({ status: 422, code: "validation_failed" });
    expect(json.errors.payload).toEqual(["The JSON text in payload is nested more than 64 levels deep."]);
    const creation_id = "01M7WVM8W0T8NYB19BE1ATAT9N";
    const update = { creation_id, lock_version: 1, payload: ONES, idempotency_key: randomUUID() };
    expect((await call(service, agent.token, "update_creation", update)).json.errors).toEqual({
      payload: ["The JSON text in payload holds more than 10000 values."],
    });
  });

  test("is cut where its endpoint refuses it, and a list without a text too", async () => {
    const many = Array.from({ length: 9_000 }, () => "a");
    for (const columns of [many, JSON.stringify(many)]) {
      const { json } = await readRows({ columns });
      expect(json.errors.columns).toEqual(["Name at most 100 columns."]);
    }
    const condition = { column: "a", op: "eq", value: "b" };
    const { json } = await readRows({
      filter: JSON.stringify(Array.from({ length: 2_000 }, () => condition)),
    });
    expect(json.errors).toEqual({ filter: ["Use at most 5 conditions."] });
  });
});

describe("arguments of a query", () => {
  test("may name every column of a wide table, as a list and as JSON text", async () => {
    for (const columns of [NAMES, JSON.stringify(NAMES)]) {
      const { json } = await readRows({ columns });
      expect(json).toMatchObject({ status: 200, data: { rows: [NAMES.map((_, at) => String(at))] } });
    }
  });

  test.each([
    ["columns", ["x".repeat(1_900_000)]],
    ["columns", "x".repeat(1_900_000)],
    ["filter", [{ column: "a", op: "eq", value: "é".repeat(900_000) }]],
  ])("of any length are a 422 on the longest, %s", async (name, value) => {
    const { result, ms } = await leastCpuMsOf(() => readRows({ limit: 2, [name]: value }), 1_000);
    expect(result.json).toMatchObject({
      status: 422,
      errors: { [name]: [expect.stringContaining("131072 characters")] },
    });
    expect(ms).toBeLessThan(1_000);
  });

  test("that are too long for a search are a 422 as well, and no search without them", async () => {
    const { json } = await call(service, agent.token, "search_agents", { query: "x".repeat(200_000) });
    expect(json).toMatchObject({ status: 422, errors: { query: [expect.any(String)] } });
  });

  test("that lead into the path or a header are read no further than an id is long", async () => {
    const { json } = await call(service, agent.token, "get_creation", { creation_id: "é".repeat(900_000) });
    expect(json).toMatchObject({ status: 404 });
    const update = { creation_id: "x", lock_version: "7".repeat(1_900_000), idempotency_key: randomUUID() };
    expect((await call(service, agent.token, "update_creation", update)).json.status).toBe(404);
  });
});

describe("a caller over the limit", () => {
  // As many as fit into the body of a caller without a token.
  const ones = `[${"1,".repeat(30_000)}1]`;
  const ask = (columns: unknown) =>
    service.app.inject({
      method: "POST",
      url: "/mcp",
      remoteAddress: CALLER,
      headers: { "content-type": "application/json" },
      payload: {
        ...{ jsonrpc: "2.0", id: 1, method: "tools/call" },
        params: { name: "read_dataset_rows", arguments: { asset_id: asset, columns } },
      },
    });

  test("is refused before the arguments are read, and every refused call counted", async () => {
    const first = await ask(ones);
    expect(first.headers.ratelimit).toMatch(new RegExp(`^"rows";r=${ROWS_A_MINUTE - 1};`));
    for (let turn = 1; turn < ROWS_A_MINUTE; turn++) await ask(["none"]);
    const { result: reply, ms } = await leastCpuMsOf(() => ask(ones), 1_000);
    const refusal = JSON.parse(reply.json().result.content[0].text);
    expect(refusal).toMatchObject({ status: 429, code: "rate_limited", retry_after: expect.any(Number) });
    expect(refusal.errors).toBeUndefined();
    expect(reply.headers["retry-after"]).toBe(String(refusal.retry_after));
    expect(ms).toBeLessThan(1_000);
    const bare = { method: "GET", url: `/media/${asset}/rows`, remoteAddress: CALLER } as const;
    expect((await request(service, bare)).status).toBe(429);
  });
});

describe("a query in an address", () => {
  const read = (query: string) =>
    request(service, { method: "GET", url: `/media/${asset}/rows?${query}`, remoteAddress: "192.0.2.8" });

  test.each([
    ["5 MB", "columns[]=a&".repeat(440_000)],
    ["64,000 parameters", "a&".repeat(64_000)],
    ["one value", `a=${"x".repeat(131_072)}`],
  ])("of any length is refused unread: %s", async (_, query) => {
    const { result, ms } = await leastCpuMsOf(() => read(query), 1_000);
    expect([result.status, result.json.code]).toEqual([414, "http_error"]);
    expect(result.json.message).toContain("131072 characters and 1000 parameters");
    // Most of it is the time of the test's own client.
    expect(ms).toBeLessThan(1_000);
  });

  test.each([
    ["one value, which holds question marks", `table=${"x?".repeat(65_000)}`, "table"],
    ["a thousand parameters", Array.from({ length: 1_000 }, () => "a=1").join("&"), "a"],
  ])("is read up to the longest: %s", async (_, query, name) => {
    const { status, json } = await read(query);
    expect([status, Object.keys(json.errors)]).toEqual([422, [name]]);
  });
});
