import { applyPatch } from "diff";
import { applyPatch as applyJsonPatch } from "fast-json-patch";
import { expect, test } from "vitest";
import { sweepAgedFiles } from "../../../../shared/datasets/uploads/discard-files.ts";
import { DAY_MS } from "../../../../shared/ground/times.ts";
import { COMMAND_LINE } from "../../../../shared/identity/audit/record-act.ts";
import { removeContent } from "../../../../shared/works/creations/take-down.ts";
import { connectAgent, connectAuthor, type Json, publishNew, request } from "../../../support/agent.ts";
import { openService, untilJobsAreDone } from "../../../support/service.ts";
import { act, revise } from "../../../support/work-acts.ts";

const FIRST = "The gauge rose 1.2 m in a night.\n\nNobody was hurt.";
const SECOND = "The gauge rose 1.3 m in a night.\n\nNobody was hurt.";

const get = (url: string) => request(service, { method: "GET", url });

const service = await openService();
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

const ids: Record<string, string> = {};

async function upload(name: string, content: string): Promise<void> {
  ids[name] = (await agent.upload(name, content)).json.data.id;
}

/** Publishes a work, and what it is after an update. */
async function publishTwice(body: Json, payload: object): Promise<Json> {
  const first = await publishNew(agent, body);
  const update = { payload, change_summary: "Changed." };
  return await revise(agent, first, update);
}

test("files are paired, each with its rows, and the payload's patch leads from one to the other", async () => {
  await upload("hourly.csv", "station,height_m\nHusum,4.40\n");
  await upload("hourly-2.csv", "station,height_m\nHusum,4.40\nBremen,4.12\n");
  await upload("daily.csv", "day,height_m\n2026-11-20,4.40\n");
  await upload("notes.json", '{"text": "no table"}');
  const attach = (name: string, label: string) => ({ asset_id: ids[name], label });
  const title = "Readings";
  const before = { title, attachments: [attach("hourly.csv", "Hourly"), attach("daily.csv", "Daily")] };
  const after = {
    title,
    attachments: [
      attach("hourly-2.csv", "Hourly"),
      attach("daily.csv", "By day"),
      attach("notes.json", "Notes"),
    ],
  };
  const work = await publishTwice({ type: "dataset", slug: "readings", payload: before }, after);
  await untilJobsAreDone(service);
  const { data } = (await get("/@tidewatch/readings/revisions/1..2.json")).json;
  expect(data.body).toBeNull();
  expect(
    data.files.map(({ label, change, from, to }: Json) => [label, change, from?.row_count, to?.row_count]),
  ).toEqual([
    ["Hourly", "changed", 1, 2],
    ["By day", "renamed", 1, 1],
    ["Notes", "added", undefined, null],
  ]);
  const [hourly] = data.files;
  const diffUrl = `http://localhost:3000/media/${ids["hourly-2.csv"]}/diff?base=${ids["hourly.csv"]}`;
  expect([hourly.from.asset_id, hourly.rows.added, hourly.diff_url]).toEqual([ids["hourly.csv"], 1, diffUrl]);
  expect(data.files.map(({ diff_url }: Json) => diff_url !== null)).toEqual([true, false, false]);
  const byHand = (await get(diffUrl.replace("http://localhost:3000", ""))).json.data;
  expect(byHand.summary).toMatchObject({ added: 1, same: 1 });
  const payloadOf = async (number: number) =>
    (await agent.get(`/creations/${work.id}/revisions/${number}`)).json.data.payload;
  expect(applyJsonPatch(await payloadOf(1), data.payload_patch).newDocument).toEqual(await payloadOf(2));
  const page = (await get("/@tidewatch/readings/revisions/1..2")).text;
  expect(page).toContain("Changed: 1 row, 28 bytes, then 2 rows, 40 bytes");
  expect(page).toContain("Renamed, with the same content: 1 row, 29 bytes");
  expect(page).toContain("1 of 1 rows that came, went or changed</caption>");
  expect(page).toMatch(/<th scope="row">\+ Added<\/th><td class="fg">3<\/td><td><ins><bdi>/);
});

test("a file stays in the diff after its bytes were deleted", async () => {
  service.clock.nowMs += 1_000 * DAY_MS;
  await sweepAgedFiles(service.deps);
  const [, first] = (await get("/@tidewatch/readings/revisions.json")).json.data;
  expect(first.files_deleted_at).not.toBeNull();
  const { status, json } = await get("/@tidewatch/readings/revisions/1..2.json");
  const [hourly] = json.data.files;
  expect([status, hourly.from.asset_id, hourly.diff_url]).toEqual([200, ids["hourly.csv"], null]);
  expect(hourly.rows.added).toBe(1);
  expect((await get("/@tidewatch/readings/revisions/1..2")).text).toContain("Hourly");
});

test("a collection whose entries come in another order says so, and names those that came in", async () => {
  const works = await Promise.all(
    ["One", "Two", "Three"].map(async (title) =>
      publishNew(agent, { payload: { title, body_markdown: "x" } }),
    ),
  );
  const [one, two, three] = works.map(({ id }: Json) => id);
  const collection = (slug: string, entries: string[]) => ({
    type: "collection",
    slug,
    payload: { title: "Storms", entries },
  });
  await publishTwice(collection("turned", [one, two]), { title: "Storms", entries: [two, one] });
  expect((await get("/@tidewatch/turned/revisions/1..2")).text).toContain(
    "<dt>In this collection</dt><dd>changed",
  );
  await publishTwice(collection("grown", [one]), { title: "Storms", entries: [three, one] });
  const page = (await get("/@tidewatch/grown/revisions/1..2")).text;
  expect(page).toContain("<ins>Three</ins>");
  expect(page).not.toContain("<ins>One</ins>");
});
