import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { sweepExpiredRows } from "../../../../shared/care/sweeps.ts";
import { DAY_MS, HOUR_MS } from "../../../../shared/ground/times.ts";
import { runAgentCommand } from "../../../../shared/identity/agents/agent-states.ts";
import { COMMAND_LINE } from "../../../../shared/identity/audit/record-act.ts";
import { runCreationCommand } from "../../../../shared/works/creations/take-down.ts";
import { connectAuthor, type Json, makeCreation, publish, request } from "../../../support/agent.ts";
import { uploadReady } from "../../../support/inspection.ts";
import { openDashboard } from "../../../support/owner-dashboard.ts";
import { openService } from "../../../support/service.ts";
import { listActsOn, runSql, setOwnerStatus } from "../../../support/tables.ts";

const service = await openService({ workers: false });
const owner = await openDashboard(service);
const tide = await connectAuthor(service, { handle: "tide", ownerId: owner.ownerId });

const story = (title: string, words = "It **rose**.") => ({ payload: { title, body_markdown: words } });
const pathOf = (url: string) => new URL(url).pathname;
const open = (url: string, method: "GET" | "HEAD" = "GET") => request(service, { method, url: pathOf(url) });
const statusOf = async (url: string) => (await open(url)).status;

async function preview({ id }: Json, body: object | undefined = undefined, key: string = randomUUID()) {
  return await tide.send("POST", `/creations/${id}/preview`, body, { key });
}

async function linkTo(creation: Json, body: object | undefined = undefined): Promise<string> {
  const { status, json } = await preview(creation, body);
  expect(status).toBe(201);
  return json.data.preview_url;
}

async function update({ id, lock_version }: Json, title: string): Promise<Json> {
  const body = { ...story(title, "It fell."), change_summary: "Fell" };
  return (await tide.send("PATCH", `/creations/${id}`, body, { ifMatch: lock_version })).json.data;
}

test("a link shows a draft and its file to whoever has it, under a banner, and nobody keeps it", async () => {
  const asset = await uploadReady(service, tide, "gauges.csv", "station,height\nHusum,4\n");
  const payload = { title: "Gauges", attachments: [{ asset_id: asset.id, label: "Heights" }] };
  const disclosure = { origin: "computed", models: [{ name: "m-1" }] };
  const draft = await makeCreation(tide, { type: "dataset", payload, disclosure });
  const made = await preview(draft);
  expect([made.status, made.headers.etag]).toEqual([201, undefined]);
  const { preview_url: url, revision_id, expires_at } = made.json.data;
  expect(url).toMatch(/^http:\/\/localhost:3000\/preview\/[\w-]{43}$/);
  expect(revision_id).toBe(draft.latest_revision.id);
  expect(Date.parse(expires_at)).toBe(service.clock.nowMs + DAY_MS);
  const page = await open(url);
  expect(page.text).toContain("This is a preview of revision 1");
  expect(page.text).toContain(`"${pathOf(url)}/files/1"`);
  expect(page.text).not.toMatch(/href="[^"]*(?:\/gauges|\/media\/|\/art\/)|<script/);
  const file = await open(`${url}/files/1`);
  expect([file.status, file.text]).toEqual([200, "station,height\nHusum,4\n"]);
  expect(file.headers["content-disposition"]).toContain("gauges.csv");
  for (const reply of [page, file, await open(url, "HEAD")])
    expect(reply.headers["ai-disclosure"]).toBe('mode=none, model="m-1"');
  for (const reply of [page, file, await open(url, "HEAD"), await open(`${url.slice(0, -1)}~`)]) {
    expect(reply.headers).toMatchObject({
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      "x-robots-tag": "noindex",
    });
    expect([reply.headers.etag, reply.headers["set-cookie"]]).toEqual([undefined, undefined]);
  }
  for (const end of ["/files/0", "/files/2", "/files/01", "/files/x", "/rows"])
    expect(await statusOf(`${url}${end}`)).toBe(404);
  await service.reads.flush();
  expect(await runSql(service, "SELECT * FROM read_counts")).toEqual([]);
  const { data } = (await tide.get(`/creations/${draft.id}`)).json;
  expect(data.lock_version).toBe(draft.lock_version);
});

test("the same key gets the same link, five are open at a time, and DELETE ends them all", async () => {
  const draft = await makeCreation(tide, story("Five"));
  const key = randomUUID();
  const [first, again] = [await preview(draft, { hours: 2 }, key), await preview(draft, { hours: 2 }, key)];
  expect([again.headers["idempotent-replayed"], again.text]).toEqual(["true", first.text]);
  expect((await preview(draft, { hours: 3 }, key)).json.code).toBe("idempotency_mismatch");
  const links = [first.json.data.preview_url];
  for (let count = 2; count <= 5; count++) links.push(await linkTo(draft));
  const sixth = await preview(draft);
  expect([sixth.status, sixth.json.code]).toEqual([409, "quota_exhausted"]);
  expect(new Set(links).size).toBe(5);
  service.clock.nowMs += 2 * HOUR_MS;
  expect([await statusOf(links[0]), await statusOf(links[1])]).toEqual([404, 200]);
  links.push(await linkTo(draft, { revision_id: draft.latest_revision.id.toLowerCase(), hours: 168 }));
  const path = `/creations/${draft.id}/preview`;
  const ended = await tide.send("DELETE", path, undefined, { key: null });
  expect([ended.status, ended.text]).toEqual([204, ""]);
  expect((await tide.send("DELETE", path, undefined, { key: null })).status).toBe(204);
  for (const link of links) expect(await statusOf(link)).toBe(404);
  expect((await tide.get(`/creations/${draft.id}`)).json.data.lock_version).toBe(draft.lock_version);
  // Neither the secret nor its key is in the database.
  const dump = await runSql(service, "SELECT body FROM idempotency_keys WHERE agent_id = $1", [tide.id]);
  expect(JSON.stringify(dump)).not.toContain("/preview/");
  expect((await sweepExpiredRows(service.deps)).forgotten_previews).toBe(0);
  service.clock.nowMs += 15 * DAY_MS;
  expect((await sweepExpiredRows(service.deps)).forgotten_previews).toBeGreaterThanOrEqual(6);
});

test("what cannot be asked is refused by its name, and stores nothing", async () => {
  const draft = await makeCreation(tide, story("Refused"));
  const other = await makeCreation(tide, story("Another"));
  const faults = async (body: object) => (await preview(draft, body)).json.errors;
  for (const hours of [0, 169, 1.5, "24", true])
    expect(Object.keys(await faults({ hours }))).toEqual(["hours"]);
  expect(await faults({ hour: 3 })).toEqual({ hour: [expect.stringContaining("hours")] });
  for (const revision_id of ["1", 1, draft.id, other.latest_revision.id])
    expect(Object.keys(await faults({ revision_id }))).toEqual(["revision_id"]);
  const path = `/creations/${draft.id}/preview`;
  expect((await tide.send("DELETE", path, { all: true })).json.code).toBe("validation_failed");
  expect(await runSql(service, "SELECT id FROM previews WHERE creation_id = $1", [draft.id])).toEqual([]);
});

test("a link leads to the page once its revision or a later one is live, and ends where the page closes", async () => {
  const draft = await makeCreation(tide, story("Going live"));
  const first = await linkTo(draft);
  let work = await publish(tide, draft);
  const page = `http://localhost:3000/@tide/${work.slug}`;
  const led = await open(first);
  expect([led.status, led.headers.location]).toEqual([302, page]);
  expect(await statusOf(`${first}/files/1`)).toBe(404);
  work = await update(work, "Going on");
  const second = await linkTo(work);
  const shown = await open(second);
  expect(shown.text).toContain("It fell.");
  expect(shown.text).toContain(">all revisions</a>");
  await tide.send("POST", `/creations/${work.id}/unpublish`, undefined, { ifMatch: work.lock_version });
  expect([await statusOf(first), await statusOf(second)]).toEqual([404, 200]);
  const { data } = (await tide.get(`/creations/${work.id}`)).json;
  await publish(tide, data);
  expect([await statusOf(first), (await open(second)).headers.location]).toEqual([404, page]);
  // The content of the first one goes, and a link to it cannot be made.
  const [{ id }] = await runSql(
    service,
    "UPDATE creation_revisions SET payload = NULL, content_removed_at = now(), content_removed_by = 'owner' WHERE creation_id = $1 AND revision_number = 1 RETURNING id",
    [work.id],
  );
  expect((await preview(work, { revision_id: id })).json.code).toBe("revision_content_removed");
});

test("whatever stops the agent or hides the work closes its links at once, and they come back with it", async () => {
  const draft = await makeCreation(tide, story("Closed"));
  const link = await linkTo(draft);
  const run = (command: "pause" | "resume" | "suspend" | "unsuspend") =>
    runAgentCommand(service.deps, COMMAND_LINE, tide.id, command);
  const change = (command: "hide" | "unhide") =>
    runCreationCommand(service.deps, COMMAND_LINE, draft.id, command);
  const ways = [
    [() => run("pause"), () => run("resume")],
    [() => run("suspend"), () => run("unsuspend")],
    [() => change("hide"), () => change("unhide")],
    [
      () => setOwnerStatus(service, owner.ownerId, "suspended"),
      () => setOwnerStatus(service, owner.ownerId, "active"),
    ],
  ] as const;
  for (const [close, reopen] of ways) {
    await close();
    expect(await statusOf(link)).toBe(404);
    await reopen();
    expect(await statusOf(link)).toBe(200);
  }
  await runSql(service, "UPDATE agents SET archived_at = now() WHERE id = $1", [tide.id]);
  expect(await statusOf(link)).toBe(404);
  await runSql(service, "UPDATE agents SET archived_at = NULL WHERE id = $1", [tide.id]);
  const ifMatch = (await tide.get(`/creations/${draft.id}`)).json.data.lock_version;
  const removed = await tide.send("DELETE", `/creations/${draft.id}`, undefined, { ifMatch });
  expect([removed.status, await statusOf(link)]).toEqual([204, 404]);
});

test("owners see open links without their addresses, end them, and forbid them", async () => {
  const draft = await makeCreation(tide, story("Overseen"));
  const links = [await linkTo(draft), await linkTo(draft), await linkTo(draft)];
  const work = `/console/works/${draft.id}`;
  const page = (await owner.get(work)).text;
  expect(page).toContain("3 open preview links");
  expect(page).not.toContain(pathOf(links[0] ?? ""));
  const stranger = await openDashboard(service);
  const [newest] = /\/previews\/[0-9A-Z]{26}\/end/.exec(page) ?? [""];
  for (const end of [newest, "/previews/end"])
    expect((await stranger.post(`${work}${end}`)).status).toBe(404);
  expect((await owner.post(`${work}/previews/x/end`)).status).toBe(404);
  expect((await owner.post(`${work}${newest}`)).status).toBe(303);
  expect(await Promise.all(links.map(statusOf))).toEqual([200, 200, 404]);
  expect((await owner.post(`${work}/previews/end`)).status).toBe(303);
  expect(await Promise.all(links.map(statusOf))).toEqual([404, 404, 404]);
  expect((await owner.get(work)).text).toContain("No link shows a revision");
  const last = await linkTo(draft);
  const agent = `/console/agents/${tide.id}`;
  expect((await owner.get(agent)).text).toContain("Forbid preview links");
  expect((await stranger.post(`${agent}/previews/off`)).status).toBe(404);
  await owner.post(`${agent}/previews/off`);
  const refused = await preview(draft);
  expect([await statusOf(last), refused.status, refused.json.code]).toEqual([404, 403, "forbidden"]);
  await owner.post(`${agent}/previews/on`);
  expect([await statusOf(last), await statusOf(await linkTo(draft))]).toEqual([404, 200]);
  expect((await listActsOn(service, tide.id)).slice(-6)).toEqual([
    "owner creation.end_previews",
    "owner creation.end_previews",
    "agent creation.preview",
    "owner agent.forbid_previews",
    "owner agent.allow_previews",
    "agent creation.preview",
  ]);
});
