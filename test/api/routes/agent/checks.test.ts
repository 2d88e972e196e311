import { expect, test } from "vitest";
import { COMMAND_LINE } from "../../../../shared/identity/audit/record-act.ts";
import { removeContent } from "../../../../shared/works/creations/take-down.ts";
import {
  connectAgent,
  connectAuthor,
  type Json,
  makeCreation,
  publishNew,
  request,
} from "../../../support/agent.ts";
import { openService } from "../../../support/service.ts";
import { runSql, setAgentTimestamp } from "../../../support/tables.ts";

const service = await openService({ workers: false, limits: { publicationsPerDay: 2 } });
const agent = await connectAuthor(service);
const live = await publishNew(agent);

async function check(path: string, body: unknown, by = agent): Promise<Json> {
  const { status, json } = await by.send("POST", `${path}/check`, body, { key: null });
  expect(status).toBe(200);
  return json.data;
}

const story = (more: object = {}) => ({
  type: "story",
  payload: { title: "Surge", body_markdown: "Up.", ...more },
});
const said = ({ problems }: Json) => problems.map(({ stage, code, field }: Json) => [stage, code, field]);
const chart = (type: string) =>
  `\`\`\`chart\n${JSON.stringify({
    data: { values: [{ day: "Mon", m: 1 }] },
    mark: "bar",
    encoding: { x: { field: "day", type: "ordinal" }, y: { field: "m", type } },
  })}\n\`\`\`\n`;

test("a good body is told to be saved, with what it would make", async () => {
  const found = await check("/creations", { ...story(), publish: { visibility: "unlisted" } });
  expect(found).toMatchObject({ saves: true, publishes: true, problems: [] });
  const made = await agent.send("POST", "/creations", story());
  const { slug, latest_revision } = made.json.data;
  const { title, checksum, revision_number } = latest_revision;
  expect(found.result).toEqual({
    ...{ slug, title: title ?? "Surge", checksum, revision_number },
    ...{ disclosure_sha256: null, counts_as: "publication", visibility: "unlisted" },
    url: `http://localhost:3000/@${agent.handle}/${slug}`,
  });
  expect(found.remaining).toMatchObject({ publications_today: 1, resets_at: "2026-11-21T00:00:00Z" });
});

test("a long text, which a thread reads, is refused as a short one is, by a check and by a save", async () => {
  const long = (text: string) => story({ title: "", body_markdown: `${"Up. ".repeat(2_000)}\n\n${text}` });
  const told = async (text: string) => {
    const { json } = await agent.send("POST", "/creations", long(text));
    const found = await check("/creations", long(text));
    expect(said(found)).toContainEqual(["save", "validation_failed", "payload.title"]);
    const { problems } = found;
    const messages = problems.flatMap(({ field, message }: Json) =>
      field === "payload.body_markdown" ? [message] : [],
    );
    expect(Object.keys(json.errors).toSorted()).toEqual(["payload.body_markdown", "payload.title"]);
    expect(messages).toEqual(json.errors["payload.body_markdown"]);
    return messages;
  };
  expect(await told("Down.\n![a](b)")).toEqual([expect.stringMatching(/^Line 4: images are not accepted/)]);
  expect((await told("<b>\n\n".repeat(60))).at(-1)).toBe(
    "The body_markdown has 10 more problems of these kinds further down.",
  );
  expect(await told("- a\n".repeat(20_001))).toEqual([
    expect.stringMatching(/^Line 20001: a text may hold 20000 blocks, .* this one holds 20003\./),
  ]);
});

test("a text with more parts than a text may hold now stays readable where it was saved before", async () => {
  const before = await connectAuthor(service);
  const work = await publishNew(before, { payload: { title: "Old", body_markdown: "Up." } });
  const dense = JSON.stringify("- a\n".repeat(20_001));
  await runSql(
    service,
    `UPDATE creation_revisions SET payload = json_build_object('title', 'Old', 'body_markdown', $1::json)
    WHERE id = $2`,
    [dense, work.latest_revision.id],
  );
  const shown = await request(service, { method: "GET", url: new URL(work.public_url).pathname });
  expect([shown.status, shown.text.match(/<li>a<\/li>/g)?.length]).toEqual([200, 20_001]);
});

test("every member, every block, every reference and every gate is told at once", async () => {
  const found = await check("/creations", {
    ...{ section: "nowhere", minor: "yes", publishh: {} },
    ...story({
      title: "",
      body_markdown: `Up.\n\n${chart("quantitative")}\n${chart("ordinal")}\n<b>no</b>\n`,
      references: [
        { creation_id: live.id, relation: "likes" },
        { creation_id: "01M7WVCCXGEVQM8BZ45NSYPBF2", relation: "uses" },
      ],
    }),
  });
  expect(said(found)).toEqual(
    expect.arrayContaining([
      ["save", "validation_failed", "publishh"],
      ["save", "validation_failed", "minor"],
      ["save", "validation_failed", "payload.title"],
      ["save", "validation_failed", "payload.references.0.relation"],
      ["save", "validation_failed", "payload.references.1.creation_id"],
      ["publish", "validation_failed", "section"],
    ]),
  );
  const inText = found.problems.filter(({ field }: Json) => field === "payload.body_markdown");
  expect(inText.map(({ line, block }: Json) => [line, block])).toEqual([
    [7, 2],
    [11, null],
  ]);
  expect(found).toMatchObject({ saves: false, publishes: false, result: null });
});

test("an old version, a limit of the day and what an update lacks are told together", async () => {
  await runSql(service, "UPDATE agents SET own_limits = '{\"updatesPerDay\": 0}' WHERE id = $1", [agent.id]);
  const found = await check(`/creations/${live.id}`, { ...story(), lock_version: 7 });
  expect(said(found)).toEqual([
    ["save", "version_mismatch", null],
    ["publish", "validation_failed", "change_summary"],
    ["publish", "update_limit", null],
  ]);
  expect(found.problems[2]).toMatchObject({ status: 409, who: "nobody", clears_at: "2026-11-21T00:00:00Z" });
  expect(found.result).toMatchObject({ slug: live.slug, revision_number: 2, counts_as: "update" });
  await runSql(service, "UPDATE agents SET own_limits = NULL WHERE id = $1", [agent.id]);
  const malformed = await check(`/creations/${live.id}`, { ...story(), lock_version: "seven" });
  expect(said(malformed)[0]).toEqual(["save", "validation_failed", "lock_version"]);
});

test("a paused agent without the rights reads who can mend it", async () => {
  const other = await connectAgent(service, { abilities: ["creations:read", "agent:read"] });
  await setAgentTimestamp(service, other.id, "paused_at", new Date(service.clock.nowMs));
  const found = await check("/creations", { ...story(), publish: {} }, other);
  expect(found.problems.map(({ stage, code, who }: Json) => [stage, code, who])).toEqual([
    ["save", "missing_ability", "owner"],
    ["publish", "missing_ability", "owner"],
    ["save", "agent_paused", "owner"],
    ["publish", "publishing_blocked", "owner"],
    ["publish", "publication_not_eligible", "agent"],
  ]);
  const profile = await check("/agent/profile", {}, other);
  expect(said(profile)).toEqual([
    ["publish", "missing_ability", null],
    ["publish", "agent_paused", null],
    ["publish", "not_found", null],
  ]);
});

test("what operators hid is theirs to mend, and a working secret is told where it stands", async () => {
  await runSql(service, "UPDATE creations SET hidden_at = now() WHERE id = $1", [live.id]);
  const found = await check(`/creations/${live.id}`, { action: "publish" });
  expect(found.problems.map(({ code, who }: Json) => [code, who])).toEqual([
    ["invalid_revision_state", "agent"],
    ["publication_not_eligible", "operator"],
    ["validation_failed", "agent"],
  ]);
  await runSql(service, "UPDATE creations SET hidden_at = NULL WHERE id = $1", [live.id]);
  const leaked = await check("/creations", story({ summary: agent.token }));
  expect(said(leaked)).toEqual([["save", "validation_failed", "payload.summary"]]);
});

test("actions take the members of their calls, and tell all that stands against them", async () => {
  const draft = await makeCreation(agent, { slug: "a-draft" });
  const path = `/creations/${draft.id}`;
  const late = await check(path, { action: "schedule", publish_at: "2020-01-01T00:00:00Z", visibility: "x" });
  expect(said(late)).toEqual([
    ["schedule", "validation_failed", "visibility"],
    ["schedule", "validation_failed", "publish_at"],
  ]);
  const back = await check(path, { action: "restore", revision_id: 1, lock_version: 9 });
  expect(said(back)).toEqual([
    ["restore", "version_mismatch", null],
    ["restore", "not_published", null],
  ]);
  expect(await check(path, { action: "publish", lock_version: 1 })).toMatchObject({
    saves: true,
    publishes: true,
  });
  const misspelt = await agent.send("POST", `${path}/check`, { action: "publsh" }, { key: null });
  expect([misspelt.status, misspelt.json.errors]).toEqual([
    422,
    { action: ["The action must be one of publish, schedule, restore. Did you mean publish?"] },
  ]);
});

test("what was removed can be neither restored nor changed, and the rest of a request is told all the same", async () => {
  const work = await publishNew(agent, { slug: "removed" });
  await agent.send("POST", `/creations/${work.id}/unpublish`, undefined, { ifMatch: work.lock_version });
  await removeContent(service.deps, COMMAND_LINE, work.latest_revision.id, "owner");
  const path = `/creations/${work.id}`;
  const restore = await check(path, { action: "restore", revision_id: 1, visibility: "x" });
  expect(said(restore)).toEqual([
    ["restore", "validation_failed", "visibility"],
    ["restore", "revision_content_removed", null],
  ]);
  const changed = await check(path, {
    changes: { set: { title: "New" } },
    change_summary: "New.",
    section: "x",
  });
  expect(said(changed)).toEqual([
    ["save", "revision_content_removed", null],
    ["publish", "validation_failed", "section"],
  ]);
});

test("a misspelt member of the check itself is told with the one that was meant", async () => {
  const path = `/creations/${live.id}`;
  const hints = ({ problems }: Json) => problems.map(({ field, hint }: Json) => [field, hint]);
  const misspelt = await check(path, { actoin: "publish", lock_versoin: 1, section: 5 });
  expect(hints(misspelt)).toEqual(
    expect.arrayContaining([
      ["actoin", "Did you mean action?"],
      ["lock_versoin", "Did you mean lock_version?"],
      ["section", null],
    ]),
  );
  const action = await check(path, { action: "publish", lock_versoin: 1 });
  expect(hints(action)).toContainEqual(["lock_versoin", "Did you mean lock_version?"]);
});
