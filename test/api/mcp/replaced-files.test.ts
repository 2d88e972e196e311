import { expect, test } from "vitest";
import { connectAuthor, type Json, publishNew, request } from "../../support/agent.ts";
import { openService } from "../../support/service.ts";
import { call } from "./rpc.ts";

const service = await openService();
const author = await connectAuthor(service);
const asset_id: string = (await author.upload("heights.csv", "height_m\n4.4\n")).json.data.id;
const payload = { title: "Heights", attachments: [{ asset_id, label: "Heights" }] };
const work = await publishNew(author, { type: "dataset", payload });

const read = async (tool: string, args: Json = { asset_id }) =>
  (await call(service, undefined, tool, args)).json;
const TOOLS = ["read_dataset_rows", "query_dataset_rows", "describe_dataset"];

test("a file that was replaced answers as ever, and names the work that has a newer one", async () => {
  for (const tool of TOOLS) expect(await read(tool)).not.toHaveProperty("replaced");
  const rows = [{ height_m: 4.6 }];
  const body = { rows, publish: {}, lock_version: work.lock_version, creation_id: work.id };
  const { json } = await call(service, author.token, "append_rows", body);
  const newer = { asset_id: json.appended.asset_id };
  const told = `The newest revision of creation ${work.id} has this file no more: describe_dataset names those it has.`;
  for (const tool of TOOLS) {
    expect(await read(tool)).toMatchObject({ status: 200, replaced: told });
    expect(await read(tool, newer)).not.toHaveProperty("replaced");
  }
  expect((await read("describe_dataset", { creation_id: work.id })).data.files[0]).toMatchObject(newer);
  expect(await read("diff_rows", { ...newer, base_asset_id: asset_id })).not.toHaveProperty("replaced");
  const rest = await request(service, { method: "GET", url: `/media/${asset_id}/rows` });
  expect(Object.keys(rest.headers).filter((name) => name.startsWith("broadsheet"))).toEqual([]);
});

test("the newer file of an unlisted work is not told", async () => {
  const { lock_version: ifMatch } = (await author.get(`/creations/${work.id}`)).json.data;
  await author.send("POST", `/creations/${work.id}/visibility`, { visibility: "unlisted" }, { ifMatch });
  expect(await read("read_dataset_rows")).toMatchObject({ status: 200, data: { total: 1 } });
  expect(await read("read_dataset_rows")).not.toHaveProperty("replaced");
});
