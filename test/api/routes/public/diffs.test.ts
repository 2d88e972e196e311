import { applyPatch } from "diff";
import { expect, test } from "vitest";
import { COMMAND_LINE } from "../../../../shared/identity/audit/record-act.ts";
import { removeContent } from "../../../../shared/works/creations/take-down.ts";
import { connectAgent, connectAuthor, type Json, publishNew, request } from "../../../support/agent.ts";
import { openService } from "../../../support/service.ts";
import { act, revise } from "../../../support/work-acts.ts";

const FIRST = "The gauge rose 1.2 m in a night.\n\nNobody was hurt.";
const SECOND = "The gauge rose 1.3 m in a night.\n\nNobody was hurt.";

const get = (url: string) => request(service, { method: "GET", url });

const service = await openService({ workers: false });
const agent = await connectAuthor(service, { handle: "tidewatch" });
const other = { payload: { title: "Target of a reference", body_markdown: "t" } };
const target = await publishNew(agent, other);
const references = [{ creation_id: target.id, relation: "uses" }];
const first = { title: "Surge", body_markdown: FIRST, references: [] };
let story = await publishNew(agent, { slug: "section", payload: first });
const second = { title: "Surge, corrected", body_markdown: SECOND, summary: "A night.", references };
story = await revise(agent, story, { payload: second, change_summary: "Said more." });
story = await revise(agent, story, { payload: { ...second, title: "Draft" }, publish: null });

const BASE = "/@tidewatch/section/revisions";

test("the JSON tells what changed from one published revision to another", async () => {
  const { status, json } = await get(`${BASE}/1..2.json`);
  expect(status).toBe(200);
  const { data } = json;
  expect([data.from.revision_number, data.to.revision_number, data.same]).toEqual([1, 2, false]);
  expect(data.body).toEqual({
    patch:
      "--- revision-1\n+++ revision-2\n@@ -1,3 +1,3 @@\n-The gauge rose 1.2 m in a night.\n+The gauge rose 1.3 m in a night.\n \n Nobody was hurt.\n\\ No newline at end of file\n",
    lines_added: 1,
    lines_removed: 1,
  });
  expect(applyPatch(FIRST, data.body.patch)).toBe(SECOND);
  expect(data.payload_patch).toEqual([
    { op: "replace", path: "/title", value: "Surge, corrected" },
    { op: "replace", path: "/summary", value: "A night." },
    {
      op: "add",
      path: "/references/0",
      value: { creation_id: target.id, relation: "uses", note: null },
    },
  ]);
  expect(data.files).toEqual([]);
});

test("a diff leads backwards too, and of a revision with itself it is empty", async () => {
  const back = (await get(`${BASE}/2..1.json`)).json.data;
  expect(applyPatch(SECOND, back.body.patch)).toBe(FIRST);
  expect(back.payload_patch[0]).toEqual({ op: "replace", path: "/title", value: "Surge" });
  const { data } = (await get(`${BASE}/2..2.json`)).json;
  expect([data.same, data.body, data.payload_patch, data.files]).toEqual([
    ...[true, { patch: "", lines_added: 0, lines_removed: 0 }],
    ...[[], []],
  ]);
});

test("the page marks the words that changed, and names the details", async () => {
  const { status, text, headers } = await get(`${BASE}/1..2`);
  expect([status, headers["cache-control"]]).toEqual([200, "no-cache"]);
  expect(text).toContain("The gauge rose <del>1.2</del><ins>1.3</ins> m in a night.<br>");
  expect(text).toContain("<del>Surge</del>");
  expect(text).toContain("<ins>Uses Target of a reference</ins>");
  expect(text).not.toContain("<script src");
  expect((await get(`${BASE}/2..2`)).text).toContain("Nothing that readers see is different.");
});

test("the list of revisions and the page of the work link to what changed", async () => {
  const address = "/@tidewatch/section/revisions/1..2";
  expect((await get(BASE)).text).toContain(`<a href="${address}">What changed`);
  expect((await get(BASE)).text).not.toContain("/0..1");
  expect((await get("/@tidewatch/section")).text).toContain(`<a href="${address}">what changed`);
});

test("drafts, unknown revisions and other forms of an address are not found, and unknown parameters are ignored", async () => {
  for (const pair of [
    "1..3",
    "3..1",
    "1..9",
    "0..1",
    "01..2",
    "1..2..2",
    "1..x",
    "1...2",
    "..2",
    "1..",
    "-1..2",
    "%00..1",
  ]) {
    expect([pair, (await get(`${BASE}/${pair}.json`)).status]).toEqual([pair, 404]);
    expect([pair, (await get(`${BASE}/${pair}`)).status]).toEqual([pair, 404]);
  }
  expect((await get(`${BASE}/1..2.json?context=9`)).text).toBe((await get(`${BASE}/1..2.json`)).text);
});

test("an agent compares its drafts too, by number and by id, and nobody else does", async () => {
  const path = `/creations/${story.id}/revisions`;
  const { status, json, headers } = await agent.get(`${path}/2/diff/3`);
  expect([status, headers["cache-control"]]).toEqual([200, "no-store"]);
  expect([json.data.to.published_at, json.data.payload_patch]).toEqual([
    null,
    [{ op: "replace", path: "/title", value: "Draft" }],
  ]);
  const byId = await agent.get(`${path}/2/diff/${story.latest_revision.id.toLowerCase()}`);
  expect(byId.json).toEqual(json);
  expect((await agent.get(`${path}/2/diff/9`)).json.code).toBe("not_found");
  expect((await agent.get(`${path}/2/diff/3?x=1`)).json.code).toBe("validation_failed");
  const stranger = await connectAgent(service, { handle: "stranger" });
  expect((await stranger.get(`${path}/1/diff/2`)).status).toBe(404);
  const writer = await connectAgent(service, { handle: "writer", abilities: ["creations:write"] });
  expect((await writer.get(`${path}/1/diff/2`)).status).toBe(403);
});

test("a work that is not open any more leaves the diff with the next request", async () => {
  expect((await get(`${BASE}/1..2`)).text).toContain("Target of a reference");
  await act(agent, target, "unpublish");
  const { text } = await get(`${BASE}/1..2.json`);
  expect(text).not.toContain(target.id);
  expect(JSON.parse(text).data.payload_patch.map(({ path }: Json) => path)).toEqual(["/title", "/summary"]);
  expect((await get(`${BASE}/1..2`)).text).not.toContain("Target of a reference");
  const own = (await agent.get(`/creations/${story.id}/revisions/1/diff/2`)).json.data;
  expect(own.payload_patch.map(({ path }: Json) => path)).toContain("/references/0");
});

test("removed content has no diff for its agent, and no link to one", async () => {
  const { data } = (await agent.get(`/creations/${story.id}/revisions/1`)).json;
  await removeContent(service.deps, COMMAND_LINE, data.id, "owner");
  expect((await get(`${BASE}/1..2.json`)).json.code).toBe("revision_content_removed");
  const own = await agent.get(`/creations/${story.id}/revisions/1/diff/2`);
  expect([own.status, own.json.code]).toEqual([409, "revision_content_removed"]);
  expect((await get(BASE)).text).not.toContain("1..2");
});
