import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { enrolAgent, formOf, send } from "../support/http-agent.ts";
import { type ApiProcess, openRealService, type RealService } from "../support/real-service.ts";
import { startBucket, type TestBucket } from "../support/s3.ts";

const CSV = "station,height_m\nBremen,4.12\nHusum,\n";

let bucket: TestBucket;
let service: RealService;
let api: ApiProcess;
let token = "";

beforeAll(async () => {
  bucket = await startBucket();
  service = await openRealService({
    cluster: inject("cluster"),
    env: { FILES_URL: bucket.filesUrl, UPLOAD_WAIT_MS: "20000" },
  });
  [api] = await Promise.all([service.startApi(), service.startWorkers()]);
  ({ token } = await enrolAgent(service.deps, api.url, "bucket"));
});
afterAll(async () => {
  expect(service.failures()).toEqual([]);
  expect(await service.close()).toEqual([]);
  await bucket.close();
});

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

test("while the bucket is away an upload answers 503 and leaves nothing, and its retry succeeds", async () => {
  const key = randomUUID();
  const before = (await send(api.url, { path: "/api/v1/agent", token })).json.data.usage;
  bucket.fail(1_000);
  const refused = await upload(key);
  bucket.fail(0);
  expect(`${refused.status} ${refused.json.code} ${refused.headers.get("retry-after")}`).toBe(
    "503 http_error 2",
  );
  expect((await send(api.url, { path: "/api/v1/agent", token })).json.data.usage).toEqual(before);
  const taken = await upload(key);
  expect(`${taken.status} ${taken.json.data.readiness}`).toBe("201 ready");
});
