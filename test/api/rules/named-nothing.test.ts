import { describe, expect, test } from "vitest";
import { z } from "zod";
import { TOOLS } from "../../../api/mcp/tools.ts";
import { connectAuthor, type Json, publishNew, request } from "../../support/agent.ts";
import { some } from "../../support/depth.ts";
import { openService } from "../../support/service.ts";
import { call, modern } from "../mcp/rpc.ts";
import { UNKNOWN } from "../mcp/step.ts";

const service = await openService();
const agent = await connectAuthor(service);
const { json } = await agent.upload("readings.csv", "station,day,height\nHusum,2026-11-20,4.4\n");
const asset: string = json.data.id;
const payload = { title: "Readings", attachments: [{ asset_id: asset, label: "Readings" }] };
const work = await publishNew(agent, { type: "dataset", payload });

/** Ids, names and days that there are not. */
const NOTHING = some([UNKNOWN, "no-such-thing", "2026-02-30"], 3);
/** What is searched for, or counts as blank, need not be there. */
const FREE = /^(?:q|query|blank(?:\[\])?|display_name|tagline|\w+_markdown|change_summary|disclosure|note)$/;

const isRefused = ({ status, code }: Json) => status >= 400 && code !== "server_error";

describe("a parameter that names what there is not is refused, and never answered as if all were well", () => {
  const parts: Record<string, string> = {
    ...{ ":creation": work.id, ":asset": asset, ":page": "creations", ":revision": "1" },
    ":handle": agent.handle,
  };
  const taking = service.routes.filter(({ method, query }) => method === "GET" && query !== undefined);
  test.each(taking.map(({ url, query }) => [url, Object.keys(query?.shape ?? {})]))(
    "%s",
    async (url, names) => {
      for (const name of names.filter((one) => !FREE.test(one))) {
        for (const nothing of NOTHING) {
          const query = new URLSearchParams({
            ...(url.includes("/diff") && { base: asset }),
            [name.replace("[n]", "[0]")]: nothing,
          });
          const path = `${url.replace(/:\w+/g, (part) => parts[part] ?? part)}?${query}`;
          const reply = await request(service, {
            method: "GET",
            url: path,
            headers: { authorization: `Bearer ${agent.token}` },
          });
          expect([path, isRefused({ status: reply.status, code: reply.json?.code })]).toEqual([path, true]);
        }
      }
    },
  );
});

const WHOLE = { creation_id: work.id };
const FILE = { asset_id: asset };
const PAIR = { base_asset_id: asset, asset_id: asset };
/** Calls of every tool that reads, in each way to name a work or a file. */
const CALLS: Record<string, Json[]> = {
  ...Object.fromEntries(
    ["get_agent", "get_profile", "get_keys", "list_creations", "list_topics", "list_docs", "list_events"].map(
      bare,
    ),
  ),
  ...Object.fromEntries(["list_watches", "list_assets", "search_agents", "search_creations"].map(bare)),
  get_creation: [WHOLE],
  list_revisions: [WHOLE],
  get_revision: [{ ...WHOLE, revision_id: "1" }],
  diff_revisions: [{ ...WHOLE, from: "1", to: "1" }],
  get_reads: [WHOLE, {}],
  get_asset: [FILE],
  read_agent: [{ handle: agent.handle }],
  read_doc: [{ page: "creations" }],
  read_creation: [WHOLE, { handle: agent.handle, slug: work.slug }, { url: work.public_url }],
  describe_dataset: [WHOLE, FILE],
  read_dataset_rows: [FILE, { rows_url: `http://localhost:3000/media/${asset}/rows` }],
  query_dataset_rows: [FILE, { query_url: `http://localhost:3000/media/${asset}/query` }],
  diff_rows: [PAIR],
};

function bare(name: string): [string, Json[]] {
  return [name, [{}]];
}

test.each([
  ["/events?types=creation.update", "types", "creation.updated"],
  ["/search/creations?type=datasets", "type", "dataset"],
  ["/search/creations?topic=climat", "topic", "climate"],
  ["/search/creations?freshness=overdu", "freshness", "overdue"],
  ["/creations?visibility=privat", "visibility", "private"],
  ["/docs?audience=agent", "audience", "agents"],
])("%s is told in %s that %s was probably meant", async (path, name, meant) => {
  const { errors } = (await agent.get(path)).json;
  expect(errors[name][0]).toContain(`Did you mean ${meant}?`);
});

describe("so is an argument of a tool", () => {
  // A check is answered: what stands against its call is the answer.
  const reading = TOOLS.filter((tool) => tool.annotations.readOnlyHint && tool.tellsProblems === undefined);
  const ask = async (name: string, args: object) => (await call(service, agent.token, name, args)).json;
  const takesLists = (schema: z.ZodType) => JSON.stringify(z.toJSONSchema(schema)).includes('"array"');

  test("every tool that reads is here", () => {
    expect(Object.keys(CALLS).toSorted()).toEqual(reading.map(({ name }) => name).toSorted());
  });

  test.each(reading.map((tool) => [tool.name, tool.arguments.shape]))("%s", async (name, shape) => {
    for (const good of CALLS[name] ?? []) {
      expect([good, await ask(name, good)]).toMatchObject([good, { status: 200 }]);
      for (const argument of Object.keys(shape).filter((one) => !FREE.test(one))) {
        const isList = takesLists(shape[argument] as z.ZodType);
        const values = [...NOTHING, {}, ...(isList ? [["no-such-thing"], [{}]] : [[]])];
        for (const value of values) {
          const args = { ...good, [argument]: value };
          expect([args, isRefused(await ask(name, args))]).toEqual([args, true]);
        }
      }
    }
  });
});

describe("and so is a param of every other method", () => {
  const ask = async (method: string, params: Json) =>
    (await modern(service, method, params, { token: agent.token })).json;

  test("events/poll", async () => {
    const { events } = (await ask("events/list", {})).result;
    expect(events.length).toBeGreaterThan(10);
    for (const { name, inputSchema } of events)
      for (const argument of Object.keys(inputSchema.properties))
        for (const value of [...NOTHING, {}, []]) {
          const params = { name, arguments: { [argument]: value } };
          expect([params, (await ask("events/poll", params)).error?.code]).toEqual([params, -32602]);
        }
  });

  test.each<[string, Json, RegExp]>([
    [
      "tools/call",
      { name: "read_creations" },
      /There is no tool read_creations\. Did you mean read_creation\?/,
    ],
    [
      "prompts/get",
      { name: "write_stories" },
      /There is no prompt write_stories\. Did you mean write_story\?/,
    ],
    ["tools/call", {}, /^The name of the tool is required\.$/],
    ["prompts/get", {}, /^The name of the prompt is required\.$/],
    ["prompts/get", { name: "write_story", arguments: { dataset: "x", angel: "y" } }, /Did you mean angle\?/],
    [
      "resources/read",
      { uri: "http://localhost:3000/docs/event.md" },
      /Did you mean http:\S+\/docs\/events\.md\?/,
    ],
    [
      "resources/read",
      { uri: "http://localhost:3000/@nobody-here/profile.json" },
      /resources\/templates\/list/,
    ],
    ["skills/get", { uri: "skill://other/SKILL.md" }, /There is no such skill; .* skills\/list/],
    ["resource/read", { uri: "x" }, /There is no such method here\. Did you mean resources\/read\?/],
  ])("%s of %j", async (method, params, sentence) => {
    expect((await ask(method, params)).error.message).toMatch(sentence);
  });

  test("a list has one page, and refuses a cursor", async () => {
    for (const noun of ["tools", "prompts", "resources", "resources/templates", "skills", "events"]) {
      const { error } = await ask(`${noun}/list`, { cursor: "x" });
      expect([noun, error.message]).toEqual([noun, "This list has one page and no cursor."]);
    }
  });
});
