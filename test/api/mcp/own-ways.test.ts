import { expect, test } from "vitest";
import { connectAuthor, makeCreation, publishNew } from "../../support/agent.ts";
import { openService } from "../../support/service.ts";
import { call } from "./rpc.ts";

const service = await openService({ workers: false });
const author = await connectAuthor(service);
const other = await connectAuthor(service);
const draft = await makeCreation(author, { slug: "a-draft" });
const live = await publishNew(author);
const { json } = await author.upload("heights.csv", "height_m\n4.4\n");
const asset_id: string = json.data.id;

const hintFor = async (tool: string, args: object, token = author.token) => {
  const refused = (await call(service, token, tool, args)).json;
  expect(refused.code).toBe("not_found");
  return refused.hint;
};

test.each([
  ["read_creation", { creation_id: draft.id }, "get_creation"],
  ["read_creation", { handle: author.handle, slug: "a-draft" }, "get_creation"],
  ["read_creation", { url: `http://localhost:3000/@${author.handle}/a-draft` }, "get_creation"],
  ["describe_dataset", { creation_id: draft.id }, "get_creation"],
  ["describe_dataset", { asset_id }, "get_asset"],
  ["read_dataset_rows", { asset_id }, "get_asset"],
  ["query_dataset_rows", { asset_id }, "get_asset"],
  ["diff_rows", { asset_id: live.id, base_asset_id: asset_id }, "get_asset"],
])("%s of %j, which is one's own and not open, names %s; nobody else is told", async (tool, args, way) => {
  expect(await hintFor(tool, args)).toMatch(new RegExp(`yours.*: ${way} `));
  const usual = "Check the arguments.";
  expect([await hintFor(tool, args, other.token), await hintFor(tool, args, "")]).toEqual([usual, usual]);
});

test("a revision that an open work never had is told with the newest", async () => {
  const hint = "The newest is number 1.";
  const args = { creation_id: live.id, revision_number: 9 };
  expect([await hintFor("read_creation", args), await hintFor("read_creation", args, "")]).toEqual([
    hint,
    hint,
  ]);
});

test.each([
  ["get_creation", { creation_id: "a-draft" }, "creation_id", "list_creations"],
  ["read_creation", { creation_id: live.public_url }, "creation_id", "search_creations"],
  ["unpublish_creation", { creation_id: "a-draft", lock_version: 1 }, "creation_id", "list_creations"],
  ["get_asset", { asset_id: "heights.csv" }, "asset_id", "list_assets"],
  ["query_dataset_rows", { asset_id: "heights.csv" }, "asset_id", "describe_dataset"],
  ["diff_rows", { asset_id, base_asset_id: "heights.csv" }, "base_asset_id", "list_assets"],
  ["watch", { agent_id: author.handle, on: true }, "agent_id", "search_agents"],
])("%s of %j says that its %s is an id, which %s names", async (tool, args, name, way) => {
  expect(await hintFor(tool, args)).toMatch(new RegExp(`^The ${name} is an id, .*${way} `));
});

test("what is nobody's is told as ever", async () => {
  const named = { handle: author.handle, slug: "none", creation_id: null };
  expect(await hintFor("read_creation", named)).toBe("Check the arguments.");
  for (const tool of ["read_creation", "describe_dataset"])
    expect(await hintFor(tool, { handle: author.handle, slug: "a\0" })).toBe("Check the arguments.");
});
