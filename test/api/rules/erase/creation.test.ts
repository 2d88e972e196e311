import { expect, test } from "vitest";
import { removeAgain } from "../../../../shared/care/backup/remove-again.ts";
import { eraseCreation } from "../../../../shared/care/erasure/erase-creation.ts";
import { sweepErasures } from "../../../../shared/care/sweeps.ts";
import { sweepExpiredUploads } from "../../../../shared/datasets/uploads/sweeps.ts";
import { MINUTE_MS } from "../../../../shared/ground/times.ts";
import { COMMAND_LINE } from "../../../../shared/identity/audit/record-act.ts";
import { removeContent, runCreationCommand } from "../../../../shared/works/creations/take-down.ts";
import { findLastAuditId } from "../../../../sql/care/removals.ts";
import { JOBS } from "../../../../workers/jobs.ts";
import { connectAuthor, makeCreation, publishNew } from "../../../support/agent.ts";
import { listOrders, requestAndMake } from "../../../support/exports.ts";
import { inspectNow } from "../../../support/inspection.ts";
import { findMarker } from "../../../support/marker.ts";
import { openDashboard } from "../../../support/owner-dashboard.ts";
import { openService, untilJobsAreDone } from "../../../support/service.ts";
import { listStoredFiles, runSql } from "../../../support/tables.ts";
import { call } from "../../mcp/rpc.ts";
import {
  ask,
  listAddresses,
  listPlaces,
  openOther,
  publishData,
  publishMarked,
  REASON,
  TEXT,
  WORD,
} from "./marked.ts";

const service = await openService();
const owner = await openDashboard(service, "Nora");
const agent = await connectAuthor(service, {
  ownerId: owner.ownerId,
  sections: [{ slug: "reports", name: "Reports" }],
});

/** What is drawn while a work is erased is left to the second pass; here nothing is. */
async function erase(id: string) {
  await untilJobsAreDone(service);
  return await eraseCreation(service.deps, COMMAND_LINE, id, REASON);
}

test("nothing of an erased work is found in any row or file, at any address, in any process", async () => {
  const marked = await publishMarked(service, agent);
  await untilJobsAreDone(service);
  const other = await openOther(service);
  const addresses = await listAddresses(service, agent, marked);
  expect(addresses.filter((address) => address.startsWith("/art/"))).not.toEqual([]);
  for (const address of addresses) {
    const [status] = await ask(other, address);
    expect([address, status]).toEqual([address, address.startsWith("/id/") ? 302 : 200]);
  }
  const before = [];
  for (const place of listPlaces(agent)) before.push((await ask(other, place))[1]);
  expect(before.filter(Boolean).length).toBeGreaterThan(7);
  expect((await findMarker(service, WORD)).length).toBeGreaterThan(20);

  expect(await erase(marked.story.id)).toMatchObject({ revisions: 3, files: 0, files_of_other_works: [] });
  expect(await erase(marked.data.id)).toMatchObject({ revisions: 1, files: 1, files_of_other_works: [] });
  for (const address of addresses)
    expect([address, await ask(other, address)]).toEqual([address, [404, false]]);
  for (const place of listPlaces(agent))
    expect([place, (await ask(other, place))[1]]).toEqual([place, false]);
  await untilJobsAreDone(service);
  expect(await findMarker(service, WORD)).toEqual([]);
  const tool = await call(service, agent.token, "get_creation", { creation_id: marked.story.id });
  expect(JSON.stringify(tool).toLowerCase()).not.toContain(WORD);
  const { storage_bytes, file_count } = (
    await runSql(service, "SELECT * FROM agents WHERE id = $1", [agent.id])
  )[0];
  expect([storage_bytes, file_count].map(Number)).toEqual([0, 0]);
});

test("a tombstone stays: its agent reads it, changes nothing in it, and the audit names no content", async () => {
  const { id } = await publishNew(agent, { payload: { title: WORD, body_markdown: TEXT } });
  await erase(id);
  const { data } = (await agent.get(`/creations/${id}`)).json;
  expect(data).toMatchObject({ title: "Content removed", slug: id.toLowerCase(), visibility: "private" });
  expect(data.latest_revision).toMatchObject({ payload: null, content_removed_by: "moderator", files: [] });
  const body = { payload: { title: "Back", body_markdown: "Back." } };
  const options = { ifMatch: data.lock_version };
  for (const [method, path, sent] of [
    ["PATCH", "", body],
    ["DELETE", "", undefined],
    ["POST", "/publish", { revision_id: data.latest_revision.id }],
    ["POST", "/restore", { revision_id: data.latest_revision.id }],
    ["POST", "/unpublish", undefined],
  ] as const) {
    const { status, json } = await agent.send(method, `/creations/${id}${path}`, sent, options);
    expect([path, status, json.code]).toEqual([path, 409, "revision_content_removed"]);
  }
  await expect(erase(id)).rejects.toThrow(
    /This creation was erased at 2026-11-20T09:00:00Z; nothing is left/,
  );
  const acts = await runSql(
    service,
    "SELECT action, detail FROM audit_log WHERE subject_id = $1 ORDER BY id",
    [id],
  );
  expect(acts.at(-1)).toEqual({ action: "creation.erase", detail: { reason: REASON } });
  expect(JSON.stringify(acts)).not.toContain(WORD);
});

test("a draft is erased too, with its schedule, and a work whose earlier revision lost its content before", async () => {
  const payload = { title: WORD, body_markdown: "Soon." };
  const draft = await makeCreation(agent, { payload });
  const publish_at = new Date(service.clock.nowMs + 60 * MINUTE_MS).toISOString();
  const body = { revision_id: draft.latest_revision.id, publish_at };
  await agent.send("POST", `/creations/${draft.id}/schedule`, body, { ifMatch: draft.lock_version });
  await erase(draft.id);
  const schedules = await runSql(service, "SELECT status FROM schedules WHERE creation_id = $1", [draft.id]);
  expect(schedules).toEqual([{ status: "cancelled" }]);
  const { data } = await publishData(agent);
  await runCreationCommand(service.deps, COMMAND_LINE, data.id, "unpublish");
  await removeContent(service.deps, COMMAND_LINE, data.latest_revision.id, "owner");
  await erase(data.id);
  await untilJobsAreDone(service);
  expect(await findMarker(service, WORD)).toEqual([]);
});

test("a file that another work has stays with it, and the answer says so", async () => {
  const { data, file } = await publishData(agent);
  const attachments = [{ asset_id: file, label: "Heights" }];
  const other = await makeCreation(agent, { type: "dataset", payload: { title: "Others", attachments } });
  const address = `@${agent.handle}/${other.slug}`;
  const kept = {
    file_id: file,
    filename: expect.stringMatching(/csv$/),
    creation_id: other.id,
    address,
    draft: true,
  };
  expect(await erase(data.id)).toMatchObject({ files: 0, files_of_other_works: [kept] });
  expect((await agent.get(`/assets/${file}/content`)).status).toBe(200);
  expect(await erase(other.id)).toMatchObject({ files: 1, files_of_other_works: [] });
  expect((await agent.get(`/assets/${file}`)).status).toBe(404);
  await untilJobsAreDone(service);
  expect(await findMarker(service, WORD)).toEqual([]);
  expect(await sweepExpiredUploads(service.deps)).toBeGreaterThan(0);
  expect(await runSql(service, "SELECT id FROM assets WHERE id = $1", [file])).toEqual([]);
});

test("of two erasures at once one is done and the other is told", async () => {
  const { id } = await makeCreation(agent, { payload: { title: WORD, body_markdown: TEXT } });
  const both = await Promise.allSettled([erase(id), erase(id)]);
  expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
});

test("a restore erases again what was erased after the backup", async () => {
  const { id } = await makeCreation(agent, { payload: { title: WORD, body_markdown: TEXT } });
  const at = new Date(service.clock.nowMs).toISOString();
  const removal = { at, action: "creation.erase", subject_id: id, by: null } as const;
  const lastId = await findLastAuditId(service.deps.pool);
  expect(await removeAgain(service.deps, [{ ...removal, id: lastId + 7 }])).toBe(1);
  const [row] = await runSql(service, "SELECT erased_at FROM creations WHERE id = $1", [id]);
  expect(row.erased_at).not.toBeNull();
});

test("what was reading a text when it was erased stores it once more at most, until the second pass", async () => {
  const quiet = await openService({ workers: false });
  const writing = await openDashboard(quiet, "Nora");
  const writer = await connectAuthor(quiet, { ownerId: writing.ownerId });
  const story = await makeCreation(writer, { payload: { title: WORD, body_markdown: TEXT } });
  const upload = await writer.upload(`${WORD}.csv`, `${WORD}\n1\n`, {
    headers: { prefer: "respond-async" },
  });
  const { id: file } = upload.json.data;
  const archive = await requestAndMake(quiet, writing);
  // As a save attaches it that was checked while the file was ready.
  await runSql(quiet, "INSERT INTO revision_files VALUES ($1, 0, $2, $3, NULL)", [
    ...[story.latest_revision.id, file, WORD],
  ]);
  let running: Promise<unknown> | null = null;
  const { threads } = quiet;
  const erasing = {
    ...threads,
    draw: async (...given: Parameters<typeof threads.draw>) => {
      running ??= eraseCreation(quiet.deps, COMMAND_LINE, story.id, REASON);
      await running;
      return await threads.draw(...given);
    },
  };
  const run = { id: "by-hand", attempt: 1, signal: new AbortController().signal };
  const job = { of: "creation", revision_id: story.latest_revision.id, attempt: 1 } as const;
  await JOBS["draw-blocks"]({ deps: quiet.deps, threads: erasing }, job, run);
  expect(running).not.toBeNull();
  await inspectNow(quiet, file);
  expect(await findMarker(quiet, WORD)).toEqual([]);
  // The archive of the owner's data held the work too.
  expect(await listStoredFiles(quiet)).not.toContain(archive.file_id);
  expect(await listOrders(quiet, writing.ownerId)).toEqual([]);
  // A reader's page that had read the story draws and names its card now.
  const [{ drawings }] = await runSql(quiet, "SELECT drawings FROM erasures");
  expect(drawings).toHaveLength(2);
  const now = new Date(quiet.clock.nowMs);
  await runSql(quiet, "INSERT INTO drawings VALUES ($1, $2, $3)", [drawings[0], WORD, now]);
  await runSql(
    quiet,
    "INSERT INTO artworks (hash, kind, agent_id, creation_id, recipe, made_at) VALUES ($1, 'card', $2, $3, $4, $5)",
    ["0".repeat(64), writer.id, story.id, JSON.stringify({ title: WORD }), now],
  );
  expect([await sweepErasures(quiet.deps), (await findMarker(quiet, WORD)).length]).toEqual([0, 2]);
  quiet.clock.nowMs += 10 * MINUTE_MS;
  expect([await sweepErasures(quiet.deps), await sweepErasures(quiet.deps)]).toEqual([1, 0]);
  expect(await findMarker(quiet, WORD)).toEqual([]);
});
