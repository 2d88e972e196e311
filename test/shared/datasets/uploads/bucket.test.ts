import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { openAppends } from "../../../api/routes/agent/append.ts";
import { connectAgent } from "../../../support/agent.ts";
import { startBucket } from "../../../support/s3.ts";
import { openService } from "../../../support/service.ts";

const CSV = "station,height_m\nBremen,4.12\nHusum,\n";

const bucket = await startBucket();
const service = await openService({ config: { filesUrl: bucket.filesUrl, uploadWaitMs: 20_000 } });
const agent = await connectAgent(service);

const append = openAppends(service, agent);
const upload = (key: string) => agent.upload("gauges.csv", CSV, { key });

test("an upload goes to the bucket, is inspected from there, read back and deleted", async () => {
  const { status, json } = await upload(randomUUID());
  expect(`${status} ${json.data.readiness} ${json.data.inspection.row_count}`).toBe("201 ready 2");
  const path = `/assets/${json.data.id}`;
  expect((await agent.get(`${path}/content`)).text).toBe(CSV);
  expect((await agent.send("DELETE", path, undefined, { key: null })).status).toBe(204);
  expect((await agent.get(`${path}/content`)).status).toBe(404);
});

test("rows are appended to a file in the bucket, past failures of it and a download that is cut", async () => {
  // More than one read of the base, so that a cut falls into it.
  const base = `station,height_m\n${"Bremen,4.12\n".repeat(20_000)}`;
  const first = (await agent.upload("gauges.csv", base)).json.data;
  bucket.fail(1);
  bucket.cut(1);
  const { status, json } = await append(first.id, CSV);
  expect([status, json.data.readiness, json.data.appended_to]).toEqual([
    201,
    "ready",
    { asset_id: first.id, rows_added: 2 },
  ]);
  const read = async (id: string) => (await agent.get(`/assets/${id}/content`)).text;
  expect(await read(json.data.id)).toBe(base + CSV.slice(CSV.indexOf("\n") + 1));
  expect(await read(first.id)).toBe(base);
});

test("while the bucket is away an upload answers 503 and leaves nothing, and its retry succeeds", async () => {
  const key = randomUUID();
  // What statistics of the files of before take, may still be added.
  const readUsage = async () => {
    const { text_bytes, ...usage } = (await agent.get("/agent")).json.data.usage;
    return usage;
  };
  const before = await readUsage();
  bucket.fail(1_000);
  const refused = await upload(key);
  bucket.fail(0);
  expect(`${refused.status} ${refused.json.code} ${refused.headers["retry-after"]}`).toBe("503 http_error 2");
  expect(await readUsage()).toEqual(before);
  const taken = await upload(key);
  expect(`${taken.status} ${taken.json.data.readiness}`).toBe("201 ready");
});
