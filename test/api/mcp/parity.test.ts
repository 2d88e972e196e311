import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { TOOLS } from "../../../api/mcp/tools.ts";
import { type Reply, request } from "../../support/agent.ts";
import { openService } from "../../support/service.ts";
import { publishDataset, startWalk } from "./begin-walk.ts";
import { expectSameAnswer, expectSameRefusal, normalise, outcomeOfRest, outcomeOfTool } from "./outcomes.ts";
import { call } from "./rpc.ts";
import type { Rest, Walk } from "./step.ts";
import { STEPS } from "./steps.ts";

const service = await openService();
const other = await publishDataset(service);
const byRest = await startWalk(service, other);
const byTool = await startWalk(service, other);

async function runRest(
  { agent }: Walk,
  tool: string,
  { method = "GET", path, accept, body, ...given }: Rest,
): Promise<Reply> {
  // A tool that writes is answered without texts.
  const isMinimal = "full" in (TOOLS.find(({ name }) => name === tool)?.arguments.shape ?? {});
  const options = isMinimal ? { ...given, headers: { prefer: "return=minimal" } } : given;
  if (path.startsWith("@")) {
    const headers = accept === undefined ? {} : { accept };
    return await request(service, { method: "GET", url: path.slice(1), headers });
  }
  if (method === "GET") return await agent.get(path);
  return await agent.send(method, path, body, options);
}

test("every tool is walked with good and bad input", () => {
  expect([...new Set(STEPS.map(({ tool }) => tool))].toSorted()).toEqual(
    TOOLS.map(({ name }) => name).toSorted(),
  );
});

test.each(STEPS)(
  "$tool with $says comes to what its endpoint comes to",
  async ({ tool, args, rest, keep }) => {
    const reply = await runRest(byRest, tool, rest(byRest));
    const outcome = await call(service, byTool.agent.token, tool, args(byTool));
    const [ofTool, ofRest] = [normalise(outcomeOfTool(outcome)), normalise(outcomeOfRest(reply))];
    if (reply.status < 400) expectSameAnswer(ofTool, ofRest);
    else expectSameRefusal(ofTool, ofRest);
    const etag = /^"(\d+)"$/.exec(String(reply.headers.etag ?? ""))?.[1];
    expect(outcome.json.lock_version).toBe(etag === undefined ? undefined : Number(etag));
    if (reply.status >= 400) return;
    keep?.(byRest, reply.json);
    keep?.(byTool, outcome.json);
  },
);

test.each([
  ["get_creation", {}, ["creation_id"]],
  ["get_revision", { creation_id: "" }, ["creation_id", "revision_id"]],
  ["publish_creation", { lock_version: 1 }, ["creation_id"]],
  ["delete_asset", { asset_id: null }, ["asset_id"]],
  ["read_doc", {}, ["page"]],
  ["read_agent", {}, ["handle"]],
  ["read_doc", { slug: "errors" }, ["page", "slug"]],
  ["read_creation", { handle: "x" }, ["slug"]],
  ["read_creation", { handle: "x", creation_id: "y" }, ["creation_id"]],
  ["read_creation", { url: "https://evil.example/@a/b" }, ["url"]],
  ["read_creation", { url: "http://localhost:3000/@a/b/revisions/1..2" }, ["url"]],
  ["read_creation", { url: "http://localhost:3000/@a/b/revisions/1", revision_number: 2 }, ["url"]],
  ["read_creation", { url: "http://localhost:3000/id/x", slug: "b" }, ["url"]],
  ["read_creation", { url: "http://localhost:3000/@a/b", handle: "a", slug: "c" }, ["url"]],
  ["get_reads", { from: "2026-11-20" }, ["from"]],
  ["list_watches", { questions: "some" }, ["questions"]],
  ["describe_dataset", {}, ["asset_id"]],
  ["describe_dataset", { handle: "x" }, ["slug"]],
  ["describe_dataset", { handle: "x", slug: "y", asset_id: "z" }, ["asset_id"]],
  ["describe_dataset", { creation_id: "x", asset_id: "z" }, ["asset_id"]],
  ["describe_dataset", { url: "http://localhost:3000/@a/b/revisions/1" }, ["url"]],
  ["describe_dataset", { url: "https://evil.example/@a/b" }, ["url"]],
  ["describe_dataset", { asset_id: "x", max_bytes: 1_999 }, ["max_bytes"]],
  ["describe_dataset", { asset_id: "x", max_bytes: 200_001 }, ["max_bytes"]],
  ["query_dataset_rows", {}, ["asset_id"]],
  ["query_dataset_rows", { query_url: "http://localhost:3000/media/x/rows" }, ["query_url"]],
  ["query_dataset_rows", { query_url: "http://localhost:3000/media/x/query", asset_id: "y" }, ["query_url"]],
  ["query_dataset_rows", { query_url: "http://localhost:3000/media/x/query?fliter=1" }, ["query_url"]],
  ["query_dataset_rows", { query_url: "http://localhost:3000/media/x/query?q=a", q: "b" }, ["query_url"]],
  ["query_dataset_rows", { asset_id: "x", max_bytes: 1_999 }, ["max_bytes"]],
  ["list_creations", { max_bytes: 1_999 }, ["max_bytes"]],
  ["get_asset", { asset_id: "x", max_bytes: "many" }, ["max_bytes"]],
  ["read_creation", { creation_id: "x", part: ["text", "txet"] }, ["part"]],
  ["get_creation", { creation_id: "x", part: "body", from_line: 0 }, ["from_line", "part"]],
  ["read_dataset_rows", {}, ["asset_id"]],
  ["read_dataset_rows", { rows_url: "http://localhost:3000/media/x" }, ["rows_url"]],
  ["read_dataset_rows", { rows_url: "http://localhost:3000/media/x/rows", asset_id: "y" }, ["rows_url"]],
  ["read_dataset_rows", { rows_url: "http://localhost:3000/media/x/rows?limit=1" }, ["rows_url"]],
  ["read_dataset_rows", { asset_id: "x", filter: "height > 4" }, ["filter.0"]],
  ["read_dataset_rows", { asset_id: "x", filter: { column: "a", op: "eq", values: 1 } }, ["filter.0"]],
])("%s with %j is a 422 that names the argument", async (tool, args, fields) => {
  const { isError, json } = await call(service, byTool.agent.token, tool, args);
  expect(isError).toBe(true);
  expect(json).toMatchObject({ status: 422, code: "validation_failed" });
  expect(Object.keys(json.errors)).toEqual(fields);
});

test.each([[{ clear: ["colour"] }], [{ clear: ["tagline"], tagline: "Tides" }]])(
  "a profile is not saved with %j",
  async (args) => {
    const { json: before } = await call(service, byTool.agent.token, "get_profile", {});
    const { lock_version } = before.data;
    const { json } = await call(service, byTool.agent.token, "update_profile", { ...args, lock_version });
    expect([json.status, Object.keys(json.errors)]).toEqual([422, ["clear"]]);
    const { json: after } = await call(service, byTool.agent.token, "get_profile", {});
    expect(after.data).toEqual(before.data);
  },
);

test.each([[[]], ["text"], [7]])("arguments that are %j are a 422", async (args) => {
  const { json } = await call(service, undefined, "list_topics", args);
  expect(json).toMatchObject({
    status: 422,
    code: "validation_failed",
    errors: { arguments: [expect.any(String)] },
  });
});

test.each(["..", ".", "%2e%2e", "a/../../agent", "?x=1", "#", "\ud800", "a\nb"])(
  "the id %j finds nothing and leads nowhere else",
  async (id) => {
    const { json } = await call(service, byTool.agent.token, "get_creation", { creation_id: id });
    expect(json).toMatchObject({ status: 404, code: "not_found" });
  },
);

test("a creation called profile has no JSON, for the tool as for the site", async () => {
  const args = { handle: byTool.other.handle, slug: "profile" };
  expect((await call(service, undefined, "read_creation", args)).json).toMatchObject({ status: 404 });
});

test("a header cannot be smuggled in by lock_version or key", async () => {
  const args = { creation_id: byTool.creation.id, lock_version: '1"\r\nx: y', idempotency_key: "é" };
  const { json } = await call(service, byTool.agent.token, "unpublish_creation", args);
  expect(json).toMatchObject({ status: 422, code: "validation_failed" });
});

describe("an object or a list that comes as JSON text, as some clients send it", () => {
  const create = async (payload: unknown) => {
    const args = { type: "brief", payload, idempotency_key: randomUUID(), full: true };
    return await call(service, byTool.agent.token, "create_creation", args);
  };

  test("is read", async () => {
    const { json } = await create(JSON.stringify({ body_markdown: '"It rose."' }));
    expect(json).toMatchObject({ status: 201, data: { title: '"It rose."' } });
    const rows_url = `http://localhost:3000/media/${byTool.other.rowsAssetId}/rows`;
    const args = {
      rows_url,
      columns: '["height"]',
      filter: '[{"column":"station","op":"eq","value":"Husum"}]',
    };
    const read = await call(service, undefined, "read_dataset_rows", args);
    expect(read.json.data.rows).toEqual([["4.40"]]);
  });

  test.each(["{", "It rose.", "7", '"text"', "null", "[]"])("is a 422 where it is %s", async (payload) => {
    const { json } = await create(payload);
    expect(json).toMatchObject({ status: 422, code: "validation_failed" });
  });

  test("is read at every depth, and so are numbers and truths", async () => {
    const { json } = await call(service, byTool.agent.token, "create_creation", {
      type: "story",
      minor: "false",
      payload: {
        ...{ title: "7", body_markdown: "true" },
        sources: [JSON.stringify({ title: "12", url: "https://example.org/" })],
        design: { colors: '["#0b3d5c", "#e8f1f5"]', pattern: "waves", seed: "12" },
      },
      idempotency_key: randomUUID(),
      full: "true",
    });
    expect(json.status).toBe(201);
    expect(json.data.latest_revision.payload).toMatchObject({
      ...{ title: "7", body_markdown: "true" },
      sources: [{ title: "12", url: "https://example.org/" }],
      design: { colors: ["#0b3d5c", "#e8f1f5"], seed: 12 },
    });
  });

  test("stays a text where texts belong", async () => {
    const { json } = await create({ body_markdown: '{"title": "A"}' });
    expect(json.data.latest_revision.payload.body_markdown).toBe('{"title": "A"}');
  });
});
