import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, expect, test } from "vitest";
import { verifyLog } from "../../../../shared/trust/transparency-log/verify-log.ts";
import { connectAuthor, publishNew } from "../../../support/agent.ts";
import { makeLogKey, readRaw, readWholeLog, sequence } from "../../../support/log.ts";
import { openService } from "../../../support/service.ts";

/** What the site answers in place of the truth, by path. */
let lies: Record<string, Buffer | string> = {};

const service = await openService({ workers: false, config: { logKeys: [makeLogKey()] } });
const agent = await connectAuthor(service, { handle: "tidewatch" });
await publishMore(3);
const server = createServer(async (request, response) => {
  const path = request.url ?? "";
  const lie = lies[path];
  const { status, bytes } = await readRaw(service, path);
  response.writeHead(lie === undefined ? status : 200).end(lie ?? bytes);
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const root = `http://127.0.0.1:${(server.address() as AddressInfo).port}/log`;
afterAll(() => void server.close());

async function publishMore(count: number): Promise<void> {
  for (let at = 0; at < count; at++) await publishNew(agent);
  await sequence(service);
}

const wish = { vkeys: [], checkpoint: null, proof: null, entries: true };

test("a log is proven by its checkpoint, its tiles, its entries, an earlier checkpoint and a proof", async () => {
  const { vkey, checkpoint } = await readWholeLog(service);
  const own = (await agent.get("/creations?per_page=1")).json.data[0];
  const proof = (await readRaw(service, `/@tidewatch/${own.slug}/revisions/1.tlog-proof`)).text;
  await publishMore(2);
  const verdict = await verifyLog(root, { ...wish, vkeys: [vkey], checkpoint, proof });
  expect(verdict.faults).toEqual([]);
  expect([verdict.origin, verdict.size, verdict.proven.length]).toEqual(["localhost:3000/log", 5, 7]);
  expect(verdict.checkpoint).toBe((await readWholeLog(service)).checkpoint);
  // Without a key that is known, those of the site are taken.
  expect(await verifyLog(root, wish)).toMatchObject({ vkeys: [vkey], faults: [] });
});

test.each([
  [
    "the signature of another key",
    "checkpoint",
    (text: string) => text.replace("\n5\n", "\n4\n"),
    /not one that these keys signed/,
  ],
  ["another tile", "tile/0/000.p/5", () => Buffer.alloc(5 * 32), /do not have the root/],
  ["a tile that is too short", "tile/0/000.p/5", () => Buffer.alloc(31), /31 bytes, and not 160/],
  ["another entry", "tile/entries/000.p/5", () => Buffer.alloc(10), /Every entry is in the tree/],
])("%s is a fault", async (_name, path, change, fault) => {
  const truth = (await readRaw(service, `/log/${path}`)).text;
  lies = { [`/log/${path}`]: change(truth) };
  const verdict = await verifyLog(root, wish);
  lies = {};
  expect(verdict.faults.join(" ")).toMatch(fault);
});

test("a checkpoint of another history, a proof of another entry and a site that is away are faults", async () => {
  const other = await openService({ workers: false, config: { logKeys: service.deps.config.logKeys } });
  const stranger = await connectAuthor(other, { handle: "tidewatch" });
  await publishNew(stranger, { slug: "other" });
  await sequence(other);
  const { checkpoint } = await readWholeLog(other);
  const proof = (await readRaw(other, "/@tidewatch/other/revisions/1.tlog-proof")).text;
  const verdict = await verifyLog(root, { ...wish, checkpoint, proof, entries: false });
  expect(verdict.faults).toEqual([
    "This does not hold: The log goes on from the earlier checkpoint of 1 entries.",
    "This does not hold: The log goes on from the checkpoint of the proof.",
  ]);
  const broken = await verifyLog(root, { ...wish, proof: proof.replace("index 0", "index 1") });
  expect(broken.faults).toContain("This does not hold: The entry 1 is in the log.");
  const nonsense = await verifyLog(root, { ...wish, checkpoint: "none", proof: "none", vkeys: ["none"] });
  expect(nonsense.faults.length).toBeGreaterThan(0);
  expect((await verifyLog(`${root}/9`, wish)).faults).toEqual([`${root}/9/vkeys answers 404.`]);
  expect((await verifyLog("http://127.0.0.1:1/log", wish)).faults[0]).toMatch(/cannot be read/);
});
