import { describe, expect, test } from "vitest";
import { TOOLS } from "../../../api/mcp/tools.ts";
import { connectAuthor, type Json, publishNew } from "../../support/agent.ts";
import { openService } from "../../support/service.ts";
import { call, modern } from "./rpc.ts";

const LINES = Array.from({ length: 900 }, (_, at) =>
  at % 7 === 1 ? "" : `Line ${at} of the "tide" ä \\ ${"x".repeat(at % 60)}`,
);
const ROWS = Array.from({ length: 700 }, (_, at) => [`${at}`, `"${"ä".repeat(at % 90)}"`]);
const HUGE = "ö".repeat(30_000);

const service = await openService({ limits: { readsPerMinute: 5_000, rowsPerMinute: 5_000 } });
const author = await connectAuthor(service);
const csv = `day,note\n${ROWS.map((row) => row.join(",")).join("\n")}\n`;
const rowsId: string = (await author.upload("rows.csv", csv)).json.data.id;
const attachments = [{ asset_id: rowsId, label: "Rows" }];
await publishNew(author, { type: "dataset", payload: { title: "Rows", attachments } });
const body_markdown = LINES.join("\n");
const story = await publishNew(author, { payload: { title: "Long", body_markdown, summary: "Short." } });

/** Calls a tool as its schema says and gives its JSON, which is held to the bytes asked for. */
async function read(name: string, args: Json = {}): Promise<Json> {
  const { token } = author;
  const { json } = await modern(service, "tools/call", { name, arguments: args }, { token });
  const [{ text }] = json.result.content;
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(args.max_bytes ?? 40_000);
  expect(json.result.isError).toBe(false);
  return JSON.parse(text);
}

describe.each(["read_dataset_rows", "query_dataset_rows"])("%s", (name) => {
  test("gives all rows in answers of 2,000 bytes", async () => {
    const found: Json[] = [];
    for (let offset: number | null = 0; offset !== null; ) {
      const { data } = await read(name, { asset_id: rowsId, offset, limit: 500, max_bytes: 2_000 });
      expect(data.rows.length).toBe(data.returned);
      expect(data.note === undefined).toBe(data.returned === 500 || data.next_offset === null);
      found.push(...data.rows);
      offset = data.next_offset;
    }
    expect(found.map(([day]) => String(day))).toEqual(ROWS.map(([day]) => day));
  });
});

describe.each([
  ["read_creation", (data: Json) => data.body_markdown],
  ["get_creation", (data: Json) => data.latest_revision.payload.body_markdown],
])("%s", (name, textOf) => {
  const args = { creation_id: story.id };

  test("gives a text in parts, each from a line", async () => {
    const found: string[] = [];
    for (let from_line: number | null = 1; from_line !== null; ) {
      const answer = await read(name, { ...args, part: ["text"], from_line, max_bytes: 3_000 });
      expect([answer.from_line, answer.lines]).toEqual([from_line, LINES.length]);
      found.push(textOf(answer.data));
      from_line = answer.next_from;
    }
    expect(found.join("\n")).toBe(body_markdown);
  });

  test("gives the parts that are named, one or several", async () => {
    const { data } = await read(name, { ...args, part: "relations" });
    expect(JSON.stringify(data)).toMatch(/"references"|"sources"/);
    expect(JSON.stringify(data)).not.toMatch(/body_markdown|"title"/);
    const whole = await read(name, { ...args, max_bytes: 200_000 });
    const without = await read(name, { ...args, part: ["without_text"] });
    const isText = (key: string, value: unknown) => (key === "body_markdown" ? undefined : value);
    expect(without.data).toEqual(JSON.parse(JSON.stringify(whole.data, isText)));
    const both = await read(name, { ...args, part: ["summary", "text"] });
    expect(both).toMatchObject({ from_line: 1, data: { id: story.id } });
  });
});

test("a revision's text goes on with the line that it names", async () => {
  const args = { creation_id: story.id, revision_id: "1", max_bytes: 3_000 };
  const { next_from } = await read("get_revision", args);
  const answer = await read("get_revision", { ...args, from_line: next_from });
  expect(answer.data.payload.body_markdown.split("\n")[0]).toBe(LINES[next_from - 1]);
});

test("the evidence of an own work has the states of its live text", async () => {
  const { content_sha256 } = (await author.get(`/assets/${rowsId}`)).json.data;
  const from = { asset_id: rowsId, content_sha256, aggregate: [{ op: "count" }] };
  const payload = { title: "Counted", body_markdown: "It has 700 rows.", figures: [{ text: "700", from }] };
  const { id } = await publishNew(author, { payload });
  const { data, figures, evidence } = await read("get_creation", { creation_id: id, part: ["evidence"] });
  expect(data.latest_revision.payload.figures).toEqual([{ text: "700" }]);
  expect(figures).toMatchObject([{ text: "700", now: { state: "holds", value: "700" } }]);
  expect(evidence).toMatchObject({ figures: 1, holds: 1 });
});

test.each([
  ["read_creation", { creation_id: story.id }, " or for a part"],
  ["get_creation", { creation_id: story.id }, " or for a part"],
  ["get_revision", { creation_id: story.id, revision_id: "1" }, ""],
])("%s gives a summary where no more has room, and says how to go on", async (name, args, part) => {
  const { data, note } = await read(name, { ...args, max_bytes: 2_000 });
  expect(JSON.stringify(data)).toContain('"title":"Long"');
  expect(note).toMatch(`Ask for more bytes${part}.`);
});

test.each([
  ["get_creation", { creation_id: story.id, part: HUGE }],
  ["search_creations", { query: HUGE }],
  ["diff_rows", { base_asset_id: rowsId, asset_id: rowsId, key: HUGE }],
  ["query_dataset_rows", { asset_id: rowsId, table: HUGE }],
])("a refusal of %s repeats no long argument", async (name, args) => {
  const { isError, json } = await call(service, author.token, name, args);
  expect([isError, JSON.stringify(json).length < 3_000]).toEqual([true, true]);
});

test("every tool that may be asked for bytes is held to them", async () => {
  const bounded = TOOLS.filter((tool) => "max_bytes" in tool.arguments.shape);
  expect(bounded.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["get_revision", "get_asset", "describe_dataset", "list_revisions"]),
  );
  for (const { name, arguments: known } of bounded) {
    const ids: Json = { asset_id: rowsId, creation_id: story.id, revision_id: "1" };
    const given = Object.entries(ids).filter(
      ([id]) => id in known.shape && !(name === "describe_dataset" && id !== "asset_id"),
    );
    await read(name, { ...Object.fromEntries(given), max_bytes: 2_000 });
  }
});
