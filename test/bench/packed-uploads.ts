import { randomUUID } from "node:crypto";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { enrolAgent, formOf, send } from "../support/http-agent.ts";
import { openRealService } from "../support/real-service.ts";
import { makeCsv } from "../support/seeded-csv.ts";
import { type Measurement, printMeasurements } from "./report.ts";

/** A little below the largest file. */
const BYTES = 10 * 1024 * 1024 - 1024;
const WARM_UPS = 2;
const ROUNDS = 9;
/** Of the compressed upload's time to the plain one's. */
const MOST_RATIO = 1.3;

const WAYS = {
  plain: { filename: "readings.csv", pack: (bytes: Buffer) => bytes },
  gzip: { filename: "readings.csv.gz", pack: (bytes: Buffer) => gzipSync(bytes) },
  zstd: { filename: "readings.csv.zst", pack: (bytes: Buffer) => zstdCompressSync(bytes) },
};

/** The same CSV of 10 MiB is uploaded plain and compressed, in turn; each answer says that it is ready. */
async function benchPackedUploads(): Promise<Map<string, number[]>> {
  const service = await openRealService({ env: { LIMIT_WRITES_PER_MINUTE: "1000" } });
  const times = new Map<string, number[]>(Object.keys(WAYS).map((name) => [name, []]));
  try {
    const [api] = await Promise.all([service.startApi(), service.startWorkers()]);
    const { token } = await enrolAgent(service.deps, api.url, "bench");
    for (let round = 0; round < WARM_UPS + ROUNDS; round += 1) {
      const bytes = Buffer.from(makeCsv(BYTES, round));
      for (const [name, { filename, pack }] of Object.entries(WAYS)) {
        const took = await uploadOnce(api.url, token, { filename, bytes: pack(bytes) });
        if (round >= WARM_UPS) times.get(name)?.push(took);
      }
    }
    return times;
  } finally {
    await service.close();
  }
}

async function uploadOnce(
  url: string,
  token: string,
  { filename, bytes }: { filename: string; bytes: Buffer },
): Promise<number> {
  const body = formOf(filename, Uint8Array.from(bytes));
  const sentMs = performance.now();
  const reply = await send(url, { method: "POST", path: "/api/v1/assets", token, key: randomUUID(), body });
  const tookMs = performance.now() - sentMs;
  if (reply.json?.data?.readiness !== "ready") throw new Error(`the upload answered ${reply.text}`);
  // The next file needs its room.
  await send(url, { method: "DELETE", path: `/api/v1/assets/${reply.json.data.id}`, token });
  return tookMs;
}

const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

/** Prints the times of each way, and tells where a compressed upload takes too long beside the plain one. */
export async function run(): Promise<string[]> {
  const times = await benchPackedUploads();
  const measurements: Measurement[] = [...times].map(([name, milliseconds]) => ({ name, milliseconds }));
  printMeasurements("A CSV of 10 MiB, from upload to ready", measurements);
  const plainMs = median(times.get("plain") ?? []);
  const ratios = [...times].map(([name, milliseconds]) => ({ name, ratio: median(milliseconds) / plainMs }));
  for (const { name, ratio } of ratios) console.log(`${name}: ${ratio.toFixed(2)} times the plain upload`);
  return ratios
    .filter(({ ratio }) => !(ratio <= MOST_RATIO))
    .map(({ name, ratio }) => `${name} takes ${ratio.toFixed(2)} times the plain upload, not ${MOST_RATIO}`);
}
