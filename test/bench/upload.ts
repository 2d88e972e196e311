// A CSV of 1 MiB from the upload to the answer that says it is ready, beside a bare route of Fastify that stores and hashes it.
import { randomUUID } from "node:crypto";
import { makeCsvFile } from "../support/data-files.ts";
import { formOf, send } from "../support/http-agent.ts";
import { openPublisher, ROOMY } from "../support/publisher.ts";
import { openRealService } from "../support/real-service.ts";
import { startPeer } from "./peers.ts";
import { printRace, race } from "./race.ts";

const BYTES = 1024 * 1024;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 25);
/** Ours inspects the file too, in another process. */
const MOST = 8;

/** Measures one upload at a time, on real processes. */
export async function run(): Promise<string[]> {
  const service = await openRealService({ env: ROOMY });
  try {
    const [api] = await Promise.all([service.startApi(), service.startWorkers()]);
    const { token } = await openPublisher(service.deps, api.url, "upload-bench");
    const bare = await startPeer("bare-server.ts", [service.databaseUrl]);
    let seed = 0;
    const upload = async (url: string, path: string) => {
      const body = formOf("readings.csv", makeCsvFile(BYTES, seed++));
      const reply = await send(url, { method: "POST", path, token, key: randomUUID(), body });
      if (reply.status !== 201) throw new Error(`the upload answered ${reply.text}`);
      return reply.json.data;
    };
    try {
      const times = await race(
        [
          {
            name: "ours",
            run: async () => {
              const { readiness } = await upload(api.url, "/api/v1/assets");
              if (readiness !== "ready") throw new Error(`the file is ${readiness}`);
            },
          },
          { name: "bare route", run: () => upload(bare.url, "/file") },
        ],
        ROUNDS,
      );
      return printRace("an upload of 1 MiB, until it is ready", times, [
        { ours: "ours", peer: "bare route", most: MOST },
      ]);
    } finally {
      await bare.close();
    }
  } finally {
    await service.close();
  }
}
