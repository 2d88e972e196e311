import { randomUUID } from "node:crypto";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { expect, test } from "vitest";
import { removeContent } from "../../../shared/works/creations/take-down.ts";
import { connectAgent, connectAuthor, type Json, makeCreation, publishNew } from "../../support/agent.ts";
import { uploadReady } from "../../support/inspection.ts";
import { openService } from "../../support/service.ts";
import { call } from "../mcp/rpc.ts";
import { meet } from "./racing.ts";

const service = await openService({ workers: false });
const agent = await connectAuthor(service, { sections: [{ slug: "reports", name: "Reports" }] });

const patch = (creation: Json, body: object, ifMatch: string | number = creation.lock_version) =>
  agent.send("PATCH", `/creations/${creation.id}`, body, { ifMatch });

const payload = { title: "Surge", body_markdown: "It rose 1.2 m.\r\nThen it fell.", summary: "A night." };

test("changes make a whole new revision of the latest one, which a full save makes too", async () => {
  const draft = await makeCreation(agent, { payload, section: "reports" });
  const replace = [{ find: "1.2 m.\nThen", with: "1.1 m.\r\nThen" }];
  const { status, json } = await patch(draft, { changes: { set: { summary: null }, replace }, minor: true });
  expect([status, json.warnings]).toEqual([200, []]);
  const { latest_revision: latest } = json.data;
  expect(latest).toMatchObject({ revision_number: 2, section: "reports", minor: true });
  const edited = { title: "Surge", body_markdown: "It rose 1.1 m.\nThen it fell." };
  const whole = await patch(json.data, { payload: edited, section: "reports" });
  expect(whole.json.data.latest_revision.payload).toEqual(latest.payload);
  expect(whole.json.data.latest_revision.checksum).toBe(latest.checksum);
  const refused = await patch(whole.json.data, {
    changes: { replace: [{ find: "it", with: "It" }], set: { pages: 1 } },
  });
  expect(refused.json.errors).toEqual({ "changes.set.pages": [expect.stringContaining("not known")] });
});

test("an update that says what the revision before said is saved, and says so", async () => {
  const draft = await makeCreation(agent, { payload });
  const check = (body: object) => agent.send("POST", `/creations/${draft.id}/check`, body, { key: null });
  expect((await check({ payload })).json.data.warnings).toEqual([
    expect.objectContaining({ code: "nothing_changed" }),
  ]);
  expect((await check({ payload, section: "reports" })).json.data.warnings).toEqual([]);
  const same = await patch(draft, { changes: { replace: [{ find: "rose", with: "rose" }] } });
  expect([same.status, same.json.data.latest_revision.revision_number]).toEqual([200, 2]);
  expect(same.json.warnings).toEqual([
    {
      code: "nothing_changed",
      field: null,
      message: expect.stringContaining("those of the revision before"),
    },
  ]);
  const moved = await patch(same.json.data, { changes: { section: "reports" } });
  expect(moved.json.warnings).toEqual([]);
  const live = await publishNew(agent, { payload });
  const update = await patch(live, { changes: {}, change_summary: "The same.", publish: {} });
  expect(update.json.warnings.map(({ code }: Json) => code)).toEqual(["nothing_changed"]);
});

test("a save and its check warn of a table that is shown as text, and of a drawing that is shown as code", async () => {
  const body = {
    type: "story",
    payload: {
      ...payload,
      body_markdown: "Heights:\n\n| a | b |\n|---|\n| 1 | 2 |\n\n```flowchart\na-->b\n```\n\n```python\n```",
    },
  };
  const replies = [
    await agent.send("POST", "/creations", body),
    await agent.send("POST", "/creations/check", body, { key: null }),
  ];
  const told = (code: string, line: number) => {
    return { code, field: "payload.body_markdown", line, message: expect.stringContaining(`Line ${line}: `) };
  };
  const found = replies.map(({ json }) => json.warnings ?? json.data.warnings);
  for (const warnings of found)
    expect(warnings).toEqual([told("table_not_drawn", 3), told("fence_not_drawn", 7)]);
});

test("a refused save that publishes says what to send, and to send the same call again", async () => {
  const live = await publishNew(agent, { payload });
  const body = { changes: { section: "report", set: { summary: "Two nights." } }, minor: true, publish: {} };
  const { status, json } = await patch(live, body);
  expect([status, json.errors, json.hint]).toEqual([
    422,
    {
      change_summary: [expect.stringContaining("of a minor update too")],
      section: ["The published profile has no section report. Did you mean reports? It has reports."],
    },
    "Nothing was saved. Correct the named members. Then send the same call again.",
  ]);
  const newcomer = await connectAgent(service);
  const early = await newcomer.send("POST", "/creations", { type: "story", payload, publish: {} });
  expect([early.status, early.json.code, early.json.hint]).toEqual([
    ...[409, "publication_not_eligible"],
    "Nothing was saved. Publish your profile first. Then send the same call again.",
  ]);
});

test("what the changes name is checked as ever", async () => {
  const draft = await makeCreation(agent, { payload });
  const references = [{ creation_id: "01M7WVCCXGEVQM8BZ45NSYPBF2", relation: "uses" }];
  const { status, json } = await patch(draft, { changes: { set: { references } } });
  expect([status, Object.keys(json.errors)]).toEqual([422, ["payload.references.0.creation_id"]]);
  expect(json.hint).toBe("Correct the named fields and send the complete request again.");
});

test("changes that keep a reference to a work that is gone are refused with the way to leave it out", async () => {
  const stranger = await connectAuthor(service);
  const target = await publishNew(stranger, { slug: "gone" });
  const references = [{ creation_id: target.id, relation: "uses" }];
  const draft = await makeCreation(agent, { payload: { ...payload, references } });
  const at = { ifMatch: target.lock_version };
  expect((await stranger.send("POST", `/creations/${target.id}/unpublish`, undefined, at)).status).toBe(200);
  const { status, json } = await patch(draft, { changes: { set: { title: "Later" } } });
  expect([status, Object.keys(json.errors), json.hint]).toEqual([
    ...[422, ["payload.references.0.creation_id"]],
    'The latest revision names it: save a new one with changes, {"set": {"references": […]}}.',
  ]);
  expect((await patch(draft, { changes: { set: { references: [] } } })).status).toBe(200);
});

test("files take the place of others by label; all else of an attachment stays, and faults are told where they were sent", async () => {
  const upload = async (name: string) =>
    (await uploadReady(service, agent, name, `station,height_m\nHusum,${name.length}\n`)).id;
  const [first, second, third] = [await upload("a.csv"), await upload("bb.csv"), await upload("ccc.csv")];
  const dictionary = { columns: [{ name: "height_m", unit: "m" }] };
  const attachments = [
    { asset_id: first, label: "Readings", notes: "In UTC.", dictionary },
    { asset_id: second, label: "Stations" },
  ];
  const draft = await makeCreation(agent, { type: "dataset", payload: { title: "Gauges", attachments } });
  const swap = { label: "Readings", asset_id: third };
  const { status, json } = await patch(draft, { changes: { files: [swap] } });
  expect(status).toBe(200);
  const [before, other] = draft.latest_revision.payload.attachments;
  expect(json.data.latest_revision.payload.attachments).toEqual([{ ...before, asset_id: third }, other]);
  const unknown = { label: "Stations", asset_id: "01M7WVCCXGEVQM8BZ45NSYPBF2" };
  for (const [changes, faults] of [
    [
      { files: [unknown, swap, swap, { ...swap, label: "Reading" }] },
      {
        "changes.files.0.asset_id": [expect.stringContaining("no such file")],
        "changes.files.2.label": [expect.stringContaining("repeats")],
        "changes.files.3.label": [expect.stringMatching(/mean Readings\? There are "Readings", "Stations"/)],
      },
    ],
    [{ files: [unknown] }, { "changes.files.0.asset_id": [expect.stringContaining("no such file")] }],
    [{ files: [swap], set: { attachments } }, { "changes.files": [expect.stringContaining("not both")] }],
    [{ files: [{ ...swap, asset_id: "x" }] }, { "changes.files.0.asset_id": [expect.any(String)] }],
  ] as [object, object][])
    expect((await patch(json.data, { changes })).json.errors).toEqual(faults);
  const story = await makeCreation(agent, { payload });
  const refused = await patch(story, { changes: { files: [swap] } });
  expect(refused.json.errors["changes.files.0.label"][0]).toContain("There is none.");
});

test("changes that were made to an older revision than the one under the lock are refused", async () => {
  const draft = await makeCreation(agent, { payload });
  const [first, second] = await meet(
    service,
    agent.id,
    () => patch(draft, { payload: { ...payload, title: "Newer" } }),
    // A list of versions matches before the wait and behind it.
    () => patch(draft, { changes: { set: { summary: null } } }, '"1", "2"'),
  );
  expect([first.status, second.status, second.json.code]).toEqual([200, 412, "version_mismatch"]);
});

test("where the content was removed there is nothing to change", async () => {
  const live = await publishNew(agent, { payload });
  const send = (action: string, body: object | undefined, { lock_version }: Json) =>
    agent.send("POST", `/creations/${live.id}/${action}`, body, { ifMatch: lock_version });
  const closed = (await send("unpublish", undefined, live)).json.data;
  const actor = { actorKind: "command", actorId: null, tokenId: null, requestId: null } as const;
  await removeContent(service.deps, actor, live.latest_revision.id, "owner");
  const { status, json } = await patch({ ...closed, lock_version: closed.lock_version + 1 }, { changes: {} });
  expect([status, json.code]).toEqual([409, "revision_content_removed"]);
});

test("a word of a long story is corrected by a call of under 2 KB, and everything after it costs little", async () => {
  const body_markdown = `${"The gauge rose in the night. ".repeat(3400)}It sank at Husum.`;
  expect(body_markdown.length).toBeGreaterThan(98_000);
  let sent = 0;
  let received = 0;
  const step = async (tool: string, given: Json) => {
    const args = { ...given, idempotency_key: randomUUID() };
    const { json } = await call(service, agent.token, tool, args);
    sent = Buffer.byteLength(JSON.stringify(args));
    received = Buffer.byteLength(JSON.stringify(json));
    expect([tool, json.status]).toEqual([tool, tool === "create_creation" ? 201 : 200]);
    expect(encode(JSON.stringify(json)).length).toBeLessThan(400);
    return json.data;
  };
  let creation = await step("create_creation", { type: "story", payload: { title: "Long", body_markdown } });
  const act = async (tool: string, args: Json = {}) => {
    creation = await step(tool, { creation_id: creation.id, lock_version: creation.lock_version, ...args });
  };
  const changes = { replace: [{ find: "sank at Husum", with: "fell at Husum" }] };
  await act("update_creation", { changes, change_summary: "It fell." });
  await act("publish_creation");
  expect([sent < 2_000, received < 2_000]).toEqual([true, true]);
  const { json } = await call(service, agent.token, "get_creation", {
    creation_id: creation.id,
    max_bytes: 200_000,
  });
  const stored = json.data.latest_revision.payload.body_markdown;
  expect(stored).toBe(body_markdown.replace("sank at Husum", "fell at Husum"));
  await act("set_visibility", { visibility: "unlisted" });
  const when = { publish_at: "2026-12-24T12:00:00Z" };
  await act("update_creation", { changes: {}, change_summary: "Again." });
  await act("schedule_creation", when);
  await act("cancel_schedule");
  await act("publish_creation");
  await act("unpublish_creation");
});
