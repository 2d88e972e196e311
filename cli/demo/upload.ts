import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { Asset } from "./answers.ts";
import { sha256 } from "./checksum.ts";
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
  await waitUntilReady(client, uploaded.id, { csv, rows }, step);
  await step("the same upload with the same key makes no second file", async () => {
    const again = readJson(await send(), Asset).data;
    hold(again.id === uploaded.id, "another file was made");
  });
  return uploaded.id;
}

/** The rows that are appended, the file that they make, and how many rows both have. */
interface Growth {
  baseId: string;
  part: Buffer;
  added: number;
  csv: Buffer;
  rows: number;
}

/** Appends rows to an uploaded file, waits until the new file may be attached, and returns its asset's id. */
export async function appendRows(
  client: AgentClient,
  { baseId, part, added, csv, rows }: Growth,
  step: Step,
): Promise<string> {
  const options = { status: CREATED, prefer: "respond-async", baseId };
  const appended = await step(
    `POST /assets appends ${added} rows to the file that it names`,
    async () => readJson(await client.upload(FILENAME, part, options), Asset).data,
    ({ bytes }) =>
      `${part.length.toLocaleString("en-US")} bytes sent, ${bytes.toLocaleString("en-US")} stored`,
  );
  const ready = await waitUntilReady(client, appended.id, { csv, rows }, step);
  hold(ready.appended_to?.asset_id === baseId, "the answer does not name the file it was appended to");
  hold(
    ready.appended_to.rows_added === added,
    `it says that ${ready.appended_to.rows_added} rows were added`,
  );
  return ready.id;
}

/** What a file is once it is ready. */
type Expected = Pick<Growth, "csv" | "rows">;

function waitUntilReady(client: AgentClient, id: string, expected: Expected, step: Step) {
  return step(
    "GET /assets/… is polled until the file is ready",
    () => pollUntilReady(client, id, expected),
    (asset) => `${asset.inspection?.row_count} rows, ${asset.inspection?.columns.length} columns`,
  );
}

async function pollUntilReady(client: AgentClient, id: string, { csv, rows }: Expected) {
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
