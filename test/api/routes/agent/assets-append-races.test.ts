import { randomUUID } from "node:crypto";
import { gzipSync } from "node:zlib";
import { expect, test, vi } from "vitest";
import { connectAgent } from "../../../support/agent.ts";
import { openService } from "../../../support/service.ts";
import { listStoredFiles } from "../../../support/tables.ts";
import { BASE, expectFault, openAppends, PART } from "./append.ts";

const service = await openService({ limits: { processingUploads: 100 }, config: { uploadWaitMs: 15_000 } });
const agent = await connectAgent(service);
const append = openAppends(service, agent);

const makeBase = async (): Promise<string> => (await agent.upload("readings.csv", BASE)).json.data.id;

test("one key makes one file, of these bytes, this name and this base; also when the base is gone since", async () => {
  const [base, other] = [await makeBase(), await makeBase()];
  const headers = { "idempotency-key": randomUUID() };
  const first = await append(base, PART, { headers });
  const again = await append(base, gzipSync(PART), { headers, filename: "more.csv.gz" });
  expect([again.headers["idempotent-replayed"], again.text]).toEqual(["true", first.text]);
  const plain = await agent.upload("more.csv", PART, { headers });
  const elsewhere = await append(other, PART, { headers });
  expect([plain.json.code, elsewhere.json.code]).toEqual(["idempotency_mismatch", "idempotency_mismatch"]);
  await agent.send("DELETE", `/assets/${base}`, undefined);
  const late = await append(base, PART, { headers });
  expect([late.headers["idempotent-replayed"], late.text]).toEqual(["true", first.text]);
  expect((await append(base, `${PART}Kiel,1\n`, { headers })).json.code).toBe("idempotency_mismatch");
  expectFault(await append(base, PART), "base_asset_id", /no file with this id/);
});

test("ten appends at once make ten files, and refused ones leave nothing", async () => {
  const base = await makeBase();
  const before = await listStoredFiles(service);
  const replies = await Promise.all(
    Array.from({ length: 10 }, (_, at) => append(base, `station,height_m\nKiel,${at}\n`)),
  );
  expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 201));
  expect(new Set(replies.map(({ json }) => json.data.content_sha256)).size).toBe(10);
  await Promise.all([append(base, "a\n1\n"), append(base, `${PART}1\n`), append(base, "\x89PNG")]);
  expect((await listStoredFiles(service)).length).toBe(before.length + 10);
});

test.each(["before", "after"])(
  "a base that is deleted %s its bytes are read does not come back",
  async (when) => {
    const base = await makeBase();
    const stored = await listStoredFiles(service);
    const { files } = service.deps;
    const scan = files.scan.bind(files);
    const forget = () => agent.send("DELETE", `/assets/${base}`, undefined);
    const reading = vi.spyOn(files, "scan").mockImplementationOnce(async function* (...args) {
      if (when === "before") await forget();
      yield* scan(...args);
      if (when === "after") await forget();
    });
    expectFault(await append(base, PART), "base_asset_id", /no file with this id/);
    expect(reading).toHaveBeenCalledWith(base, { start: 0, end: BASE.length - 1 });
    reading.mockRestore();
    expect(await listStoredFiles(service)).toEqual(stored.filter((key) => key !== base));
  },
);

test("a store that is short of the base's bytes fails, and nothing is stored", async () => {
  const base = await makeBase();
  const stored = await listStoredFiles(service);
  const { files } = service.deps;
  const reading = vi.spyOn(files, "scan").mockImplementationOnce(async function* () {
    yield Buffer.from(BASE.slice(0, 9));
  });
  expect((await append(base, PART)).status).toBe(500);
  reading.mockRestore();
  expect(await listStoredFiles(service)).toEqual(stored);
});
