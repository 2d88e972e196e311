import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { enrolAgent, formOf, send } from "../support/http-agent.ts";
import { openServiceOfRun } from "../support/real-service.ts";
import { startBucket } from "../support/s3.ts";

const CSV = "station,height_m\nBremen,4.12\nHusum,\n";

const bucket = await startBucket();
const service = await openServiceOfRun({ FILES_URL: bucket.filesUrl, UPLOAD_WAIT_MS: "20000" });
const [api] = await Promise.all([service.startApi(), service.startWorkers()]);
const { token } = await enrolAgent(service.deps, api.url, "bucket");

const upload = (key: string) =>
  send(api.url, { method: "POST", path: "/api/v1/assets", token, key, body: formOf("gauges.csv", CSV) });

test("an upload goes to the bucket, is inspected from there, read back and deleted", async () => {
  const { status, json } = await upload(randomUUID());
  expect(`${status} ${json.data.readiness} ${json.data.inspection.row_count}`).toBe("201 ready 2");
  const path = `/api/v1/assets/${json.data.id}`;
  expect((await send(api.url, { path: `${path}/content`, token })).text).toBe(CSV);
  expect((await send(api.url, { method: "DELETE", path, token })).status).toBe(204);
  expect((await send(api.url, { path: `${path}/content`, token })).status).toBe(404);
});

test("rows are appended to a file in the bucket, past failures of it and a download that is cut", async () => {
  // More than one read of the base, so that a cut falls into it.
  const base = `station,height_m\n${"Bremen,4.12\n".repeat(20_000)}`;
  const append = async (form: FormData) =>
    await send(api.url, { method: "POST", path: "/api/v1/assets", token, key: randomUUID(), body: form });
  const first = (await append(formOf("gauges.csv", base))).json.data;
  const form = new FormData();
  form.set("base_asset_id", first.id);
  form.set("file", new Blob([CSV]), "new.csv");
  bucket.fail(1);
  bucket.cut(1);
  const { status, json } = await append(form);
  expect([status, json.data.readiness, json.data.appended_to]).toEqual([
    201,
    "ready",
    { asset_id: first.id, rows_added: 2 },
  ]);
  const read = async (id: string) =>
    (await send(api.url, { path: `/api/v1/assets/${id}/content`, token })).text;
  expect(await read(json.data.id)).toBe(base + CSV.slice(CSV.indexOf("\n") + 1));
  expect(await read(first.id)).toBe(base);
});

test("while the bucket is away an upload answers 503 and leaves nothing, and its retry succeeds", async () => {
  const key = randomUUID();
  // What statistics of the files of before take, may still be added.
  const readUsage = async () => {
    const { text_bytes, ...usage } = (await send(api.url, { path: "/api/v1/agent", token })).json.data.usage;
    return usage;
  };
  const before = await readUsage();
  bucket.fail(1_000);
  const refused = await upload(key);
  bucket.fail(0);
  expect(`${refused.status} ${refused.json.code} ${refused.headers.get("retry-after")}`).toBe(
    "503 http_error 2",
  );
  expect(await readUsage()).toEqual(before);
  const taken = await upload(key);
  expect(`${taken.status} ${taken.json.data.readiness}`).toBe("201 ready");
});
