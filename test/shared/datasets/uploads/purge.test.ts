import { afterEach, beforeEach, expect, test } from "vitest";
import { sweepAll } from "../../../../shared/care/sweeps.ts";
import { sweepAgedFiles } from "../../../../shared/datasets/uploads/discard-files.ts";
import { DAY_MS } from "../../../../shared/ground/times.ts";
import { COMMAND_LINE } from "../../../../shared/identity/audit/record-act.ts";
import { removeContent } from "../../../../shared/works/creations/take-down.ts";
import {
  connectAuthor,
  type Json,
  makeCreation,
  publish,
  request,
  type TestAgent,
} from "../../../support/agent.ts";
import { uploadReady } from "../../../support/inspection.ts";
import { openService } from "../../../support/service.ts";
import { listStoredFiles, runSql } from "../../../support/tables.ts";
import { act, write } from "../../../support/work-acts.ts";

const service = await openService({ workers: false, limits: { processingUploads: 20 } });
let agent: TestAgent;
/** What the tests before left in the store. */
let others: string[] = [];

beforeEach(async () => {
  agent = await connectAuthor(service);
  others = await listStoredFiles(service);
});

afterEach(async () => {
  service.clock.nowMs += 400 * DAY_MS;
  await sweepAgedFiles(service.deps);
});

const listStored = async () => (await listStoredFiles(service)).filter((id) => !others.includes(id));

/** A file of as many bytes as its name says: its first number. */
async function upload(filename: string): Promise<string> {
  return (await uploadReady(service, agent, filename, "x".repeat(Number.parseInt(filename, 10)))).id;
}

const payloadOf = (...ids: string[]) => ({
  title: "Gauge notes",
  attachments: ids.map((asset_id) => ({ asset_id, label: "Notes" })),
});

async function create(...ids: string[]): Promise<Json> {
  return await makeCreation(agent, { type: "file", payload: payloadOf(...ids) });
}

async function save(creation: Json, ...ids: string[]): Promise<Json> {
  const body = { payload: payloadOf(...ids), change_summary: "Other files." };
  const reply = await agent.send("PATCH", `/creations/${creation.id}`, body, {
    ifMatch: creation.lock_version,
  });
  expect(reply.status).toBe(200);
  return reply.json.data;
}

async function usage() {
  const { files, storage_bytes } = (await agent.get("/agent")).json.data.usage;
  return { files, storage_bytes };
}

async function deletedAt(creation: Json): Promise<(string | null)[]> {
  const { data } = (await agent.get(`/creations/${creation.id}/revisions`)).json;
  return data.map((revision: Json) => revision.files_deleted_at).reverse();
}

const pathOf = ({ slug }: Json) => `/@${agent.handle}/${slug}`;

const opened = async (id: string, filename: string) =>
  (await request(service, { method: "GET", url: `/media/${id}/${filename}` })).status;

/** Wherever an agent asks for a file that is deleted, it is told what it is told of one that never was. */
async function expectGone(id: string): Promise<void> {
  const never = "01M7WVM8W0T8NYB19BE1ATAT9N";
  const answersOf = async (file: string) => [
    (await agent.get(`/assets/${file}`)).json.message,
    (await agent.get(`/assets/${file}/content`)).json.message,
    (await agent.send("DELETE", `/assets/${file}`, undefined)).json.message,
    (await agent.send("POST", "/creations", { type: "file", payload: payloadOf(file) })).json.errors,
  ];
  expect(await answersOf(id)).toEqual(await answersOf(never));
  const { data, meta } = (await agent.get("/assets")).json;
  expect([data.some((file: Json) => file.id === id), meta.total]).toEqual([false, (await usage()).files]);
}

test("the files of a replaced revision go on day 30, once, and their storage comes back once", async () => {
  const one = await upload("100.txt");
  const first = await publish(agent, await create(one));
  service.clock.nowMs += 5 * DAY_MS;
  const two = await upload("20.txt");
  const second = await publish(agent, await save(first, two));
  const replacedMs = service.clock.nowMs;
  for (const days of [1, 29, 29.999]) {
    service.clock.nowMs = replacedMs + days * DAY_MS;
    expect(await sweepAgedFiles(service.deps)).toBe(0);
    expect([await opened(one, "100.txt"), await opened(two, "20.txt")]).toEqual([200, 200]);
    expect(await usage()).toEqual({ files: 2, storage_bytes: 120 });
  }
  service.clock.nowMs = replacedMs + 30 * DAY_MS;
  expect((await sweepAll(service.deps)).purged_revisions).toBe(1);
  const day30 = "2026-12-25T09:00:00Z";
  expect(await deletedAt(first)).toEqual([day30, null]);
  service.clock.nowMs += DAY_MS;
  expect(await sweepAgedFiles(service.deps)).toBe(0);
  expect(await deletedAt(first)).toEqual([day30, null]);
  expect(await usage()).toEqual({ files: 1, storage_bytes: 20 });
  expect([await opened(one, "100.txt"), await opened(two, "20.txt")]).toEqual([404, 200]);
  expect(await listStored()).toEqual([two]);
  const refused = await write(agent, "POST", second, "/restore", { revision_id: first.latest_revision.id });
  expect([refused.status, refused.json.code]).toEqual([409, "revision_files_deleted"]);
  await expectGone(one);
  const entry = (await agent.get(`/creations/${first.id}/revisions/1`)).json.data;
  expect(entry).toMatchObject({
    state: "published",
    files_deleted_at: day30,
  });
  expect(entry.files[0]).toMatchObject({ asset_id: one, download_url: null });
  const acts = await runSql(service, "SELECT action FROM audit_log WHERE action = 'revision.purge_files'");
  expect(acts).toHaveLength(1);
});

test("five purges at once give storage back once", async () => {
  const [one, two] = [await upload("100.txt"), await upload("20.txt")];
  await publish(agent, await save(await publish(agent, await create(one)), two));
  service.clock.nowMs += 31 * DAY_MS;
  const counts = await Promise.all(Array.from({ length: 5 }, () => sweepAgedFiles(service.deps)));
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1);
  expect(await usage()).toEqual({ files: 1, storage_bytes: 20 });
});

test("the live revision and one that nothing replaced keep their files, unpublished or not", async () => {
  const ids = [await upload("10.txt"), await upload("20.txt"), await upload("30.txt")];
  const [live, closed, draft] = await Promise.all(ids.map((id) => create(id)));
  await publish(agent, live);
  await publish(agent, closed);
  await act(agent, closed, "unpublish");
  service.clock.nowMs += 400 * DAY_MS;
  expect(await sweepAgedFiles(service.deps)).toBe(0);
  for (const creation of [live, closed, draft]) expect(await deletedAt(creation)).toEqual([null]);
  expect(await usage()).toEqual({ files: 3, storage_bytes: 60 });
  expect(await listStored()).toEqual([...ids].sort());
  await act(agent, closed, "restore", { revision_id: closed.latest_revision.id });
});

test("a file that the live revision shares with a replaced one stays, the others go", async () => {
  const [shared, old, fresh] = [await upload("10.txt"), await upload("20.txt"), await upload("30.txt")];
  const first = await publish(agent, await create(shared, old));
  await publish(agent, await save(first, shared, fresh));
  service.clock.nowMs += 30 * DAY_MS;
  expect(await sweepAgedFiles(service.deps)).toBe(1);
  expect(await usage()).toEqual({ files: 2, storage_bytes: 40 });
  expect(await listStored()).toEqual([shared, fresh].sort());
  expect([await opened(shared, "10.txt"), await opened(old, "20.txt")]).toEqual([200, 404]);
});

test("a file that another creation or a later draft uses stays until nothing uses it", async () => {
  const [shared, fresh] = [await upload("10.txt"), await upload("20.txt")];
  const first = await publish(agent, await create(shared));
  const other = await publish(agent, await create(shared));
  await publish(agent, await save(first, fresh));
  service.clock.nowMs += 30 * DAY_MS;
  expect(await sweepAgedFiles(service.deps)).toBe(1);
  expect(await deletedAt(first)).toEqual([expect.any(String), null]);
  expect([await opened(shared, "10.txt"), (await usage()).files]).toEqual([200, 2]);
  await publish(agent, await save(other, fresh));
  service.clock.nowMs += 30 * DAY_MS;
  expect(await sweepAgedFiles(service.deps)).toBe(1);
  expect([await opened(shared, "10.txt"), (await usage()).files]).toEqual([404, 1]);
  expect(await listStored()).toEqual([fresh]);
});

test("an old revision names the files that its work still has, and says that the others were deleted", async () => {
  const [kept, shared] = [await upload("10.txt"), await upload("20.txt")];
  const first = await publish(agent, await create(kept, shared));
  await publish(agent, await create(shared));
  await publish(agent, await save(first, kept));
  service.clock.nowMs += 30 * DAY_MS;
  expect(await sweepAgedFiles(service.deps)).toBe(1);
  expect([await opened(kept, "10.txt"), await opened(shared, "20.txt")]).toEqual([200, 200]);
  const read = async (url: string) =>
    (await request(service, { method: "GET", url: `${pathOf(first)}${url}` })).text;
  const json = JSON.parse(await read("/revisions/1.json"));
  expect(json.data.files.map((file: Json) => file.url)).toEqual([expect.stringContaining(kept)]);
  const page = await read("/revisions/1");
  expect([page.includes(kept), page.includes(shared)]).toEqual([true, false]);
  expect(page).toContain("but for those that another revision has");
});

test("a draft that was never public is no replaced revision: its files stay", async () => {
  const [one, two] = [await upload("10.txt"), await upload("20.txt")];
  await save(await create(one), two);
  service.clock.nowMs += 60 * DAY_MS;
  expect(await sweepAgedFiles(service.deps)).toBe(0);
  expect(await usage()).toEqual({ files: 2, storage_bytes: 30 });
});

test("restored in time, an old revision's file stays for good though its first entry ages", async () => {
  const [one, two] = [await upload("10.txt"), await upload("20.txt")];
  const first = await publish(agent, await create(one));
  const second = await publish(agent, await save(first, two));
  service.clock.nowMs += 29 * DAY_MS;
  const restored = await act(agent, second, "restore", { revision_id: first.latest_revision.id });
  expect(restored.latest_revision).toMatchObject({
    revision_number: 3,
    checksum: first.latest_revision.checksum,
  });
  service.clock.nowMs += 2 * DAY_MS;
  expect(await sweepAgedFiles(service.deps)).toBe(1);
  expect(await deletedAt(first)).toEqual([expect.any(String), null, null]);
  expect([await opened(one, "10.txt"), (await usage()).files]).toEqual([200, 2]);
  service.clock.nowMs += 28 * DAY_MS;
  expect(await sweepAgedFiles(service.deps)).toBe(1);
  expect([await opened(one, "10.txt"), await opened(two, "20.txt")]).toEqual([200, 404]);
});

test("removed content gives up its files at once, once, and shared ones stay", async () => {
  const [one, shared] = [await upload("10.txt"), await upload("20.txt")];
  const first = await publish(agent, await create(one, shared));
  await publish(agent, await save(first, shared));
  await removeContent(service.deps, COMMAND_LINE, first.latest_revision.id, "owner");
  expect(await usage()).toEqual({ files: 1, storage_bytes: 20 });
  expect(await listStored()).toEqual([shared]);
  await expectGone(one);
  expect([await opened(one, "10.txt"), await opened(shared, "20.txt")]).toEqual([404, 200]);
  service.clock.nowMs += 31 * DAY_MS;
  expect(await sweepAgedFiles(service.deps)).toBe(0);
  expect(await usage()).toEqual({ files: 1, storage_bytes: 20 });
  const entry = (await agent.get(`/creations/${first.id}/revisions/1`)).json.data;
  expect(entry).toMatchObject({
    payload: null,
    files: [],
    title: "Content removed",
    content_removed_by: "owner",
  });
  expect(JSON.stringify(entry)).not.toContain("10.txt");
});
