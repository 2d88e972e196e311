import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { copyStore } from "../../../shared/care/backup/copy-store.ts";
import { openFileStore } from "../../../shared/platform/files/open.ts";
import { connectAgent } from "../../support/agent.ts";
import { openFolder } from "../../support/close-afterwards.ts";
import { startBucket } from "../../support/s3.ts";
import { openService, untilJobsAreDone } from "../../support/service.ts";
import { listStoredFiles } from "../../support/tables.ts";

const ids: string[] = [];

const folder = await openFolder();
const bucket = await startBucket();
const service = await openService({ config: { uploadWaitMs: 20_000 } });
const agent = await connectAgent(service);
for (let file = 0; file < 4; file++) await upload(file);

async function upload(file: number): Promise<void> {
  const { data } = (await agent.upload(`f${file}.csv`, `a,b\n${file},2\n`)).json;
  ids.push(data.id);
}

async function read(filesUrl: string, id: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of openFileStore(filesUrl).get(id)) chunks.push(Uint8Array.from(chunk));
  return Buffer.concat(chunks).toString();
}

const copy = async (to: string, bySize = false, report = () => {}) =>
  await copyStore(service.deps, to, { bySize, report });

test("a folder goes into a bucket, from there into a folder, and what came meanwhile goes along", async () => {
  bucket.fail(1_000);
  await expect(copy(bucket.filesUrl)).rejects.toMatchObject({
    errors: { to: [expect.stringContaining("--to does not answer")] },
  });
  bucket.fail(0);
  let arriving: Promise<void> | null = null;
  const report = () => {
    arriving ??= upload(4);
  };
  const first = await copyStore(service.deps, bucket.filesUrl, { bySize: false, report });
  await (arriving ?? Promise.resolve());
  // Parquet files are made behind the uploads.
  await untilJobsAreDone(service);
  const second = await copy(bucket.filesUrl);
  const all = (await listStoredFiles(service, { withParquet: true })).length;
  expect(all).toBeGreaterThanOrEqual(5);
  expect(first.copied + second.copied).toBe(all);
  expect([second.present, second.wrong]).toEqual([all - second.copied, 0]);
  for (const [file, id] of ids.entries()) expect(await read(bucket.filesUrl, id)).toBe(`a,b\n${file},2\n`);

  const moved = { ...service.deps, config: { ...service.deps.config, filesUrl: bucket.filesUrl } };
  const inBucket = { ...moved, files: openFileStore(bucket.filesUrl) };
  const back = await copyStore(inBucket, `file:${folder}/back`, { bySize: false, report: () => undefined });
  expect(back).toMatchObject({ copied: all, present: 0, wrong: 0 });
  for (const [file, id] of ids.entries())
    expect(await read(`file:${folder}/back`, id)).toBe(`a,b\n${file},2\n`);
});

test("a bucket that is not there is named before a file is read", async () => {
  const missing = bucket.filesUrl.replace(/^s3:\/\/[^/?]+/, "s3://nobodys-bucket");
  await expect(copy(missing)).rejects.toMatchObject({
    errors: { to: [expect.stringContaining("no such bucket")] },
  });
});

test("a file that is there with other bytes is copied again, unless sizes are trusted", async () => {
  const to = `file:${folder}/again`;
  await copy(to);
  const [id = ""] = ids;
  await writeFile(join(folder, "again", id.slice(-2), id), "x,y\n0,2\n");
  const all = (await listStoredFiles(service, { withParquet: true })).length;
  expect(await copy(to, true)).toMatchObject({ copied: 0, present: all });
  expect(await copy(to)).toMatchObject({ copied: 1, present: all - 1 });
  expect(await read(to, id)).toBe("a,b\n0,2\n");
});

test("a file that is not what its row says is named, and its bytes go nowhere", async () => {
  const [, id = ""] = ids;
  await service.deps.files.delete(id);
  const wrong: string[] = [];
  const report = (_progress: unknown, file: string | null) => void (file !== null && wrong.push(file));
  const left = (await listStoredFiles(service, { withParquet: true })).length;
  const told = await copyStore(service.deps, `file:${folder}/wrong`, { bySize: false, report });
  expect([told.copied, told.wrong, wrong]).toEqual([left, 1, [id]]);
  expect(await openFileStore(`file:${folder}/wrong`).size(id)).toBeNull();
});

test("an address that is none, and that of the service itself, are refused", async () => {
  await expect(copy("s3://Works")).rejects.toMatchObject({
    errors: { to: [expect.stringContaining("3 to 63")] },
  });
  const own = copy(service.deps.config.filesUrl);
  await expect(own).rejects.toMatchObject({ errors: { to: [expect.stringContaining("name another one")] } });
});
