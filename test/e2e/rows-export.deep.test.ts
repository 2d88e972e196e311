import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { makeCsvFile } from "../support/data-files.ts";
import { openPublisher } from "../support/publisher.ts";
import { openServiceOfRun } from "../support/real-service.ts";
import { residentMib } from "../support/resident-size.ts";

const MIB = 1024 * 1024;
const CONTENT = makeCsvFile(10 * MIB, 4);
/** Each begins with its number and a day; a cell may hold a line feed. */
const ROWS = CONTENT.toString().match(/^\d+,\d{4}-/gm)?.length ?? 0;
const READERS = 12;
const GROWS_BY_LESS_THAN_MIB = 96;

const service = await openServiceOfRun({ UPLOAD_WAIT_MS: "20000", LIMIT_ROWS_CACHE_BYTES: "0" });
const [api] = await Promise.all([service.startApi(), service.startWorkers(["inspect"])]);
const publisher = await openPublisher(service.deps, api.url, "readings");
const { id } = await publisher.publishTable("readings.csv", CONTENT);
const address = `${api.url}/media/${id}/rows/all.ndjson`;

test.skipIf(process.platform !== "linux")(
  `${READERS} slow readers of a whole table of 10 MiB hold none of it, and what they leave behind is let go`,
  { timeout: 360_000 },
  async () => {
    // Every thread has worked before the first look: its own heap is no part of an answer.
    const whole = await Promise.all(Array.from({ length: 6 }, () => readAll(`${address}?offset=5`)));
    expect(whole[0]?.length).toBeGreaterThan(20 * MIB);
    const restingMib = await residentMib(api.pid);
    const readers = await Promise.all(Array.from({ length: READERS }, openReader));
    let peakMib = 0;
    for (let look = 0; look < 40; look++) {
      // Each takes a little and then nothing for a while, as a distant reader does.
      for (const reader of readers) reader.read(4_096);
      await delay(25);
      peakMib = Math.max(peakMib, await residentMib(api.pid));
    }
    console.log(`API: ${restingMib.toFixed(1)} MiB at rest, ${peakMib.toFixed(1)} MiB with slow readers`);
    // Whole answers would be some 300 MiB.
    expect(peakMib - restingMib).toBeLessThan(GROWS_BY_LESS_THAN_MIB);
    for (const reader of readers) reader.destroy();
    const lines = (await readAll(address)).toString().trimEnd().split("\n");
    expect(lines).toHaveLength(ROWS);
    expect((await residentMib(api.pid)) - restingMib).toBeLessThan(GROWS_BY_LESS_THAN_MIB);
  },
);

async function openReader(): Promise<IncomingMessage> {
  const asked = get(`${address}?filter[0][column]=id&filter[0][op]=gte&filter[0][value]=0`, { agent: false });
  const [reply] = (await once(asked, "response")) as [IncomingMessage];
  expect(reply.statusCode).toBe(200);
  reply.on("error", () => {});
  return reply;
}

async function readAll(url: string): Promise<Buffer> {
  const response = await fetch(url);
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer());
}
