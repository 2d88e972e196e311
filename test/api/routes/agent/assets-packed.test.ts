import { createHash } from "node:crypto";
import { once } from "node:events";
import { request as openRequest } from "node:http";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { expect, test } from "vitest";
import { connectAgent } from "../../../support/agent.ts";
import { untilJobsAreDone } from "../../../support/service.ts";
import { readUnfinished } from "../../../support/slow-upload.ts";
import { CSV, openAddress, openUploadSite, postForm, putFile, sendFile } from "./upload-addresses.ts";

const { service, agent } = await openUploadSite();

const SHA = createHash("sha256").update(CSV).digest("hex");
const GZIP = gzipSync(CSV);

test.each([
  ["readings.csv.gz", "readings.csv", GZIP],
  ["readings.CSV.GZ", "readings.CSV", GZIP],
  ["folder/readings.csv.zst", "readings.csv", zstdCompressSync(CSV)],
])("%s is stored unpacked as %s, by a form and by an address", async (given, stored, packed) => {
  const file = {
    filename: stored,
    bytes: CSV.length,
    content_sha256: SHA,
    readiness: "ready",
    sent_bytes: packed.length,
  };
  const uploaded = await agent.upload(given, packed);
  expect(uploaded.status).toBe(201);
  expect(uploaded.json.data).toMatchObject(file);
  const content = await agent.get(`/assets/${uploaded.json.data.id}/content`);
  expect(content.text).toBe(CSV);
  expect((await agent.get(`/assets/${uploaded.json.data.id}`)).json.data).toMatchObject(file);
  const url = await openAddress(agent, { filename: given });
  expect((await sendFile(service, "PUT", url, packed)).json.data).toMatchObject(file);
});

test("JSON comes packed too, and a file that came as it is has no sent_bytes", async () => {
  const json = '[{"a":1},{"a":2}]';
  const packed = await agent.upload("list.json.gz", gzipSync(json));
  expect(packed.json.data).toMatchObject({ filename: "list.json", format: "json", bytes: json.length });
  expect((await agent.upload("readings.csv", CSV)).json.data.sent_bytes).toBeNull();
});

test("the same key takes the same file again, packed or not", async () => {
  const headers = { "idempotency-key": "0b6f8a52-6a39-4c9d-8f0a-0c6a6f1f7a11" };
  const first = await agent.upload("readings.csv.gz", GZIP, { headers });
  const again = await agent.upload("readings.csv.zst", zstdCompressSync(CSV), { headers });
  expect([again.headers["idempotent-replayed"], again.text]).toEqual(["true", first.text]);
  const another = await agent.upload("readings.csv.gz", gzipSync(`${CSV}x,1\n`), { headers });
  expect([another.status, another.json.code]).toEqual([409, "idempotency_mismatch"]);
});

test.each([
  ["notes.txt.gz", GZIP, ".csv.gz, .tsv.gz and .json.zst"],
  ["readings.csv.gz.gz", gzipSync(GZIP), ".csv.gz, .tsv.gz and .json.zst"],
  ["readings.csv.bz2", GZIP, "unpack the archive"],
  ["readings.csv.gz", CSV, "no whole gzip file"],
  ["readings.csv.gz", gzipSync("a,b\n1\n"), "Row 2 has 1 value"],
])("%s with a fault is refused on file, and nothing is stored", async (name, bytes, sentence) => {
  const reply = await agent.upload(name, bytes);
  expect([reply.status, reply.json.code]).toEqual([422, "validation_failed"]);
  expect(reply.json.errors.file[0]).toContain(sentence);
});

test("a refused file leaves the address open for the mended one", async () => {
  const url = await openAddress(agent, { filename: "readings.csv.gz" });
  expect((await putFile(service, url, CSV)).status).toBe(422);
  const form = await postForm(service, url, "anything.bin", CSV);
  expect([form.status, form.json.errors.file[0]]).toEqual([
    422,
    expect.stringContaining("no whole gzip file"),
  ]);
  expect((await sendFile(service, "PUT", url, GZIP)).status).toBe(201);
});

test("the limits are of the unpacked file", async () => {
  const packed = gzipSync(`a\n${"1\n".repeat(6_000_000)}`, { level: 1 });
  const reply = await agent.upload("large.csv.gz", packed);
  expect([reply.status, reply.json.errors.file[0]]).toEqual([
    422,
    expect.stringMatching(/larger than|100 times/),
  ]);
});

test("a third .zst file of an agent waits unread for one of two before it, and those of others do not", async () => {
  const packed = zstdCompressSync(CSV);
  const openPut = async () => {
    const outgoing = openRequest(await openAddress(agent, { filename: "slow.csv.zst" }), { method: "PUT" });
    outgoing.write(packed.subarray(0, 5));
    return async () => {
      outgoing.end(packed.subarray(5));
      const [response] = await once(outgoing, "response");
      return response.resume().statusCode;
    };
  };
  const countUnfinished = async () => (await readUnfinished(service.deps.config.dataDir)).length;
  // What was refused before may not be removed yet, and jobs write files of their own there.
  await untilJobsAreDone(service);
  await expect.poll(countUnfinished).toBe(0);
  const finish = [await openPut(), await openPut()];
  await expect.poll(countUnfinished).toBe(2);
  let isAnswered = false;
  const third = agent.upload("third.csv.zst", packed).finally(() => {
    isAnswered = true;
  });
  expect((await agent.upload("beside.csv.gz", GZIP)).status).toBe(201);
  expect((await (await connectAgent(service)).upload("other.csv.zst", packed)).status).toBe(201);
  expect(isAnswered).toBe(false);
  expect(await finish[0]?.()).toBe(201);
  expect((await third).status).toBe(201);
  expect(await finish[1]?.()).toBe(201);
});
