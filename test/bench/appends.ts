import { randomUUID } from "node:crypto";
import { inspectFile } from "../../shared/tables/inspection/inspect.ts";
import { enrolAgent, formOf, send } from "../support/http-agent.ts";
import { openRealService } from "../support/real-service.ts";
import { makeCsv } from "../support/seeded-csv.ts";
import { type Measurement, printMeasurements } from "./report.ts";

const LARGEST = 10 * 1024 * 1024;
const PART_BYTES = 1024;
const WARM_UPS = 2;
const ROUNDS = 9;
/** Of an append's time to that of an upload of the whole, both from request to ready. */
const MOST_RATIO = 1.2;

/** 1 KiB is appended to 10 MiB, and the same whole is uploaded, in turn: each answer says that it is inspected. */
async function benchAppends(): Promise<Map<string, number[]>> {
  const service = await openRealService({ env: { LIMIT_WRITES_PER_MINUTE: "1000" } });
  const times = new Map<string, number[]>(["append", "whole", "inspection"].map((name) => [name, []]));
  try {
    const [api] = await Promise.all([service.startApi(), service.startWorkers()]);
    const { token } = await enrolAgent(service.deps, api.url, "bench");
    const uploads = openUploads(api.url, token);
    for (let round = 0; round < WARM_UPS + ROUNDS; round += 1) {
      const { base, part, whole } = makeFiles(round);
      const baseId = (await uploads.send(base)).id;
      const note = (name: string, tookMs: number) => {
        if (round >= WARM_UPS) times.get(name)?.push(tookMs);
      };
      for (const [name, content, to] of [
        ["append", part, baseId],
        ["whole", whole, undefined],
      ] as const) {
        const { id, tookMs } = await uploads.send(content, to);
        note(name, tookMs);
        // The next file needs its room.
        await uploads.remove(id);
      }
      await uploads.remove(baseId);
      note("inspection", await inspect(whole));
    }
    return times;
  } finally {
    await service.close();
  }
}

function makeFiles(seed: number) {
  const base = makeCsv(LARGEST - 2 * PART_BYTES, seed).toString();
  const rows = makeCsv(PART_BYTES, seed + 100).toString();
  const header = base.slice(0, base.indexOf("\n") + 1);
  const own = rows.slice(rows.indexOf("\n") + 1);
  return { base, part: header + own, whole: base + own };
}

function openUploads(url: string, token: string) {
  return {
    async send(content: string, baseId?: string): Promise<{ id: string; tookMs: number }> {
      const body = new FormData();
      if (baseId !== undefined) body.set("base_asset_id", baseId);
      body.set("file", formOf("readings.csv", content).get("file") ?? "");
      const sentMs = performance.now();
      const reply = await send(url, {
        method: "POST",
        path: "/api/v1/assets",
        token,
        key: randomUUID(),
        body,
      });
      const tookMs = performance.now() - sentMs;
      if (reply.json?.data?.readiness !== "ready") throw new Error(`the upload answered ${reply.text}`);
      return { id: reply.json.data.id, tookMs };
    },
    remove: (id: string) => send(url, { method: "DELETE", path: `/api/v1/assets/${id}`, token }),
  };
}

/** The inspection alone, in this process. */
async function inspect(text: string): Promise<number> {
  const bytes = Buffer.from(text);
  const startedMs = performance.now();
  const verdict = await inspectFile(piecesOf(bytes), "csv");
  if (!verdict.ok) throw new Error(verdict.reason);
  return performance.now() - startedMs;
}

async function* piecesOf(bytes: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 262_144) yield bytes.subarray(at, at + 262_144);
}

const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

/** Prints the times, and tells where an append takes too long beside the inspection of the same file. */
export async function run(): Promise<string[]> {
  const times = await benchAppends();
  const measurements: Measurement[] = [...times].map(([name, milliseconds]) => ({ name, milliseconds }));
  printMeasurements("1 KiB appended to a CSV of 10 MiB, from request to ready", measurements);
  const ratios = new Map(
    [...times].map(([name, found]) => [name, median(times.get("append") ?? []) / median(found)]),
  );
  for (const name of ["whole", "inspection"]) {
    console.log(`an append takes ${ratios.get(name)?.toFixed(2)} times the ${name}`);
  }
  const ratio = ratios.get("whole") ?? Number.NaN;
  return ratio <= MOST_RATIO
    ? []
    : [`an append takes ${ratio.toFixed(2)} times the upload of the whole, not ${MOST_RATIO}`];
}
