import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { Tool } from "../../../api/mcp/tool.ts";
import { TOOLS } from "../../../api/mcp/tools.ts";
import { connectAuthor, type Json, publishNew } from "../../support/agent.ts";
import { openService } from "../../support/service.ts";
import { call } from "./rpc.ts";

const service = await openService();
const author = await connectAuthor(service);
const uploaded = await author.upload("gauges.csv", "station,height\nHusum,4.40\nList,x\n");
const assetId: string = uploaded.json.data.id;
const attachments = [{ asset_id: assetId, label: "Gauges" }];
const work = await publishNew(author, { type: "dataset", payload: { title: "Gauges", attachments } });

await author.send("PUT", `/watches/creations/${work.id}`, undefined, { key: null });

/** Two letters in the wrong order, or one too many. */
function misspell(name: string): string {
  const swapped = `${name.slice(0, -2)}${name.at(-1)}${name.at(-2)}`;
  return swapped === name || name.length < 4 ? `${name}${name.at(-1)}` : swapped;
}

const ARGUMENTS = TOOLS.flatMap((tool) =>
  Object.keys(tool.arguments.shape).map((name): [string, string, Tool] => [tool.name, name, tool]),
);

test.each(ARGUMENTS)(
  "%s refuses a misspelt %s with the nearest of its own arguments",
  async (_, name, tool) => {
    const known: Json = {
      ...{ creation_id: work.id, revision_id: "1", asset_id: assetId, page: "events", handle: author.handle },
      ...{
        lock_version: work.lock_version,
        idempotency_key: randomUUID(),
        name: "a",
        on: false,
        agent_id: work.id,
      },
    };
    const misspelt = misspell(name);
    const given = Object.keys(tool.arguments.shape).filter((one) => one in known && one !== name);
    if (tool.name.endsWith("_profile"))
      known.lock_version = (await author.get("/agent/profile")).json.data.lock_version;
    // What is watched is named once.
    const once = tool.name === "watch" ? given.filter((one) => one !== "agent_id" && one !== "name") : given;
    const args = { ...Object.fromEntries(once.map((one) => [one, known[one]])), [misspelt]: "x" };
    const { json } = await call(service, author.token, tool.name, args);
    expect([json.status, json.code]).toEqual([422, "validation_failed"]);
    expect(json.errors[misspelt]?.[0]).toMatch(`id you mean ${name}?`);
  },
);

test("a required argument that its tool reads itself is told as any other that was left out", async () => {
  const { json } = await call(service, author.token, "watch", { creation_id: work.id });
  expect(json.errors).toEqual({ on: ["The on is required, true or false."] });
  expect(json.hint).toBe("Correct the named arguments and call again.");
});

test("an unknown member is told with its place, whatever its name", async () => {
  const rows = [{ height_m: 1 }];
  const args = { creation_id: work.id, lock_version: work.lock_version, rows, publish: { constructor: 1 } };
  const { json } = await call(service, author.token, "append_rows", args);
  expect([json.status, Object.keys(json.errors)]).toEqual([422, ["publish.constructor"]]);
});

test.each(TOOLS)("a refusal of $name names nothing but its arguments where one is missing", async (tool) => {
  const { shape } = tool.arguments;
  const known: Json = { creation_id: work.id, asset_id: assetId, base_asset_id: assetId, lock_version: 1 };
  for (const name of Object.keys(shape).filter((one) => shape[one]?.isOptional() === false)) {
    const args = { ...Object.fromEntries(Object.keys(shape).map((one) => [one, known[one]])), [name]: null };
    const { json } = await call(service, author.token, tool.name, args);
    const named = Object.keys(json.errors ?? {}).map((field) => field.split(".")[0] ?? field);
    expect([name, named.filter((field) => !(field in shape))]).toEqual([name, []]);
  }
});

test("no argument that is misspelt, unreadable or missing lets a call be done", async () => {
  const question = { creation_id: work.id, label: "Gauges", question: { columns: ["station"] } };
  expect(
    (await call(service, author.token, "watch", { name: "a", ...question, on: true })).json.status,
  ).toBeLessThan(300);
  const { json: off } = await call(service, author.token, "watch", { name: "a", on: false, labell: "x" });
  expect([off.status, Object.keys(off.errors)]).toEqual([422, ["labell"]]);
  for (const [args, fields] of [
    [{ ...question, on: true }, ["name"]],
    [{ ...question, name: ".", on: true }, ["name"]],
    [{ ...question, name: "b", on: true, mute: "often" }, ["mute"]],
    [{ name: "a", on: "no" }, ["on"]],
    [{ name: "a", on: false, agent_id: author.id, mute: true }, ["agent_id", "mute"]],
  ] as const) {
    const { json } = await call(service, author.token, "watch", args);
    expect([json.status, Object.keys(json.errors)]).toEqual([422, fields]);
  }
  const still = await author.get("/watches/questions");
  expect(still.json.data.map(({ name }: Json) => name)).toEqual(["a"]);
  const again = { ...question, name: "a", mute: false, on: true };
  expect((await call(service, author.token, "watch", again)).json.status).toBe(200);
  const taken = { creation_id: work.id, lock_version: work.lock_version, full: [] };
  const { json: open } = await call(service, author.token, "unpublish_creation", taken);
  expect(open.errors).toEqual({ full: ["The full must be true or false."] });
  const { json } = await author.get(`/creations/${work.id}`);
  expect(json.data.lock_version).toBe(work.lock_version);
  const watched = await author.get("/watches");
  expect(watched.json.data.map(({ target_id }: Json) => target_id)).toEqual([work.id]);
});

describe("a lock_version", () => {
  test.each([["eleven"], [0], [-1], [1.5], [{}], [[1]], ["1 "]])(
    "of %j is of a wrong type",
    async (version) => {
      const args = { creation_id: work.id, lock_version: version };
      const { json } = await call(service, author.token, "unpublish_creation", args);
      expect(json).toMatchObject({ status: 422, code: "validation_failed" });
      expect(Object.keys(json.errors)).toEqual(["lock_version"]);
    },
  );

  test.each([["2026"], ["99"]])("of %j is read, and an old one", async (version) => {
    const args = { creation_id: work.id, lock_version: version };
    const { json } = await call(service, author.token, "unpublish_creation", args);
    expect(json.code).toBe("version_mismatch");
  });

  test("that is missing comes before an argument that means something else", async () => {
    const args = { creation_id: work.id, visbility: "public" };
    const { json } = await call(service, author.token, "set_visibility", args);
    expect(json.code).toBe("precondition_required");
  });
});

test.each([
  [
    "read_dataset_rows",
    { columns: ["hieght"] },
    "columns.0",
    'Did you mean "height"? It has "station", "height".',
  ],
  ["query_dataset_rows", { sort: [{ column: "hieght" }] }, "sort.0.column", 'Did you mean "height"?'],
  ["query_dataset_rows", { table: "b" }, "table", "The file is one table without a name."],
  [
    "query_dataset_rows",
    { aggregate: [{ op: "sum", column: "height" }] },
    "aggregate.0.column",
    'Column "height", row 3: "x" is no number.',
  ],
])(
  "%s with %j names what the table has, marked as written by others",
  async (tool, asked, field, sentence) => {
    const { json } = await call(service, undefined, tool, { asset_id: assetId, ...asked });
    expect(json).toMatchObject({ status: 422, untrusted: { notice: expect.any(String) } });
    expect(json.errors[field][0]).toContain(sentence);
  },
);

const WAYS = ["creation_id", "handle", "slug", "url", "asset_id", "rows_url", "query_url"];

test("a tool that names its work or file in several ways says them all where none is given", async () => {
  const several = TOOLS.filter(
    ({ arguments: { shape } }) => "url" in shape || "rows_url" in shape || "query_url" in shape,
  );
  expect(several.length).toBeGreaterThan(2);
  for (const tool of several) {
    const { json } = await call(service, author.token, tool.name, {});
    const ways = WAYS.filter((name) => name in tool.arguments.shape);
    const unsaid = ways.filter((name) => !new RegExp(`\\b${name}\\b`).test(json.message));
    expect([tool.name, json.status, unsaid]).toEqual([tool.name, 422, []]);
    expect(json.message).not.toContain("is required");
  }
});

test("null is as left out at every depth, and takes away in changes.set alone", async () => {
  const nothing = { slug: null, minor: null, correction: null, disclosure: null, change_summary: null };
  const payload = {
    ...{ title: "Gauges", body_markdown: "It rose.", summary: "Short.", attachments: null, entries: null },
    ...{ figures: null, license: null, sources: [{ title: "A", url: "https://example.org/", note: null }] },
  };
  const keyed = { idempotency_key: null, full: null };
  const args = { type: "story", ...nothing, payload, ...keyed };
  const { json } = await call(service, author.token, "create_creation", args);
  expect([json.status, json.errors]).toEqual([201, undefined]);
  const update = async (lock_version: number, changes: Json) =>
    await call(service, author.token, "update_creation", {
      ...{ creation_id: json.data.id, lock_version, changes, payload: null, full: true },
    });
  const kept = await update(1, {
    set: { title: "Tides" },
    replace: null,
    files: null,
    rebind: null,
    section: null,
  });
  expect(kept.json.data.latest_revision.payload).toMatchObject({ title: "Tides", summary: "Short." });
  const taken = await update(2, { set: { summary: null } });
  expect(taken.json.data.latest_revision.payload.summary).toBeNull();
  const { lock_version } = (await author.get("/agent/profile")).json.data;
  const profile = { lock_version, display_name: "Tide", tagline: "", about_markdown: null, accent: null };
  const saved = await call(service, author.token, "update_profile", { ...profile, topic_ids: null });
  expect(saved.json.status).toBe(200);
});
