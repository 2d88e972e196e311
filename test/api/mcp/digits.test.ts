import { expect, test } from "vitest";
import { request } from "../../support/agent.ts";
import { publishFiles } from "../../support/published-files.ts";
import { openService } from "../../support/service.ts";
import { post } from "./rpc.ts";

const service = await openService({ workers: false });
const { ids } = await publishFiles(service, {
  "ids.json": '[{"id":9007199254740992,"n":0.5},{"id":9007199254740993,"n":0.30000000000000000001}]',
});
const asset = ids["ids.json"] ?? "";

/** The rows that a call of a tool finds, its arguments given as JSON text. */
async function findRows(tool: string, args: string): Promise<string> {
  const params = `{"name":"${tool}","arguments":{"asset_id":"${asset}",${args}}}`;
  const { json } = await post(service, `{"jsonrpc":"2.0","id":1.0,"method":"tools/call","params":${params}}`);
  expect([json.id, json.result.isError, json.result.content[0].text]).toEqual([1, false, expect.anything()]);
  return /"rows":(\[.*?\]\])/.exec(json.result.content[0].text)?.[1] ?? json.result.content[0].text;
}

const FILTER = (value: string, column = "id") =>
  `"filter":[{"column":"${column}","op":"eq","value":${value}}]`;
const SECOND = "[[9007199254740993,0.30000000000000000001]]";

test.each(["query_dataset_rows", "read_dataset_rows"])(
  "numbers in the arguments of %s keep their digits",
  async (tool) => {
    const find = (args: string) => findRows(tool, args);
    expect(await find(FILTER("9007199254740993"))).toBe(SECOND);
    expect(await find(FILTER("9007199254740993.0"))).toBe(SECOND);
    expect(await find(FILTER("0.30000000000000000001", "n"))).toBe(SECOND);
    expect(
      await find(`"filter":${JSON.stringify(`[{"column":"id","op":"eq","value":9007199254740993}]`)}`),
    ).toBe(SECOND);
    // A number that is whole may be written with a point, and in a text.
    expect(await find(`"limit":1.0,"offset":"1"`)).toBe(SECOND);
  },
);

test("numbers in the JSON of a question keep their digits", async () => {
  const question = `{${FILTER("9007199254740993")}}`;
  const url = `/media/${asset}/query?${new URLSearchParams({ question })}`;
  expect((await request(service, { method: "GET", url })).text).toContain(`"rows":${SECOND}`);
});
