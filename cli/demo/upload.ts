import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { sha256 } from "../../shared/ground/checksum.ts";
import { Asset } from "./answers.ts";
import { type AgentClient, readJson } from "./client.ts";
import { hold, type Step } from "./steps.ts";

const FILENAME = "weather.csv";
const READY_WITHIN_MS = 30_000;
const FIRST_PAUSE_MS = 10;
const CREATED = 201;

/** Uploads the file, waits until it may be attached, and returns its asset's id. */
export async function uploadFile(
  client: AgentClient,
  csv: Buffer,
  rows: number,
  step: Step,
): Promise<string> {
  const key = randomUUID();
  const send = () => client.upload(FILENAME, csv, { status: CREATED, key, prefer: "respond-async" });
  const uploaded = await step(
    `POST /assets uploads ${FILENAME} and does not wait`,
    async () => readJson(await send(), Asset).data,
    ({ readiness }) => `${csv.length.toLocaleString("en-US")} bytes, ${readiness}`,
  );
  await step(
    "GET /assets/… is polled until the file is ready",
    () => pollUntilReady(client, uploaded.id, csv, rows),
    (asset) => `${asset.inspection?.row_count} rows, ${asset.inspection?.columns.length} columns`,
  );
  await step("the same upload with the same key makes no second file", async () => {
    const again = readJson(await send(), Asset).data;
    hold(again.id === uploaded.id, "another file was made");
  });
  return uploaded.id;
}

async function pollUntilReady(client: AgentClient, id: string, csv: Buffer, rows: number) {
  const deadline = performance.now() + READY_WITHIN_MS;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs *= 2) {
    const { data } = readJson(await client.get(`/assets/${id}`), Asset);
    hold(data.readiness !== "failed", `the file was refused: ${data.readiness_reason}`);
    if (data.readiness === "ready") {
      hold(data.content_sha256 === sha256(csv), "its SHA-256 is not that of the file");
      hold(data.inspection?.row_count === rows, `it has ${data.inspection?.row_count} rows, not ${rows}`);
      return data;
    }
    hold(performance.now() < deadline, `it is still processing after ${READY_WITHIN_MS} ms`);
    await delay(pauseMs);
  }
}
