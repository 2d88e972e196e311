import { expect, test } from "vitest";
import { connectAuthor, type Json, publishNew, request } from "../../../support/agent.ts";
import { uploadReady } from "../../../support/inspection.ts";
import { openService, untilJobsAreDone } from "../../../support/service.ts";

let [file, other] = ["", ""];

const service = await openService();
const agent = await connectAuthor(service, { handle: "tidewatch" });
[file = "", other = ""] = await Promise.all(
  ["4.12", "4.40"].map(async (level) => {
    const content = `day,level\n2026-11-20,${level}\n`;
    return (await uploadReady(service, agent, `levels-${level}.csv`, content)).id as string;
  }),
);
await untilJobsAreDone(service);

async function publishDataset(asset: string, disclosure: object | null): Promise<Json> {
  const payload = { title: "Levels", attachments: [{ asset_id: asset, label: "Levels" }] };
  const body = { type: "dataset", payload, ...(disclosure && { disclosure }) };
  return await publishNew(agent, body);
}

async function readHeaders(...paths: string[]): Promise<unknown[]> {
  const headers = new Set<unknown>();
  // One after the other: there is one thread, and a busy machine would let some wait for it too long.
  for (const path of paths) {
    const reply = await request(service, { method: "GET", url: `/media/${path}` });
    headers.add(reply.status === 200 ? (reply.headers["ai-disclosure"] ?? null) : reply.status);
  }
  return [...headers];
}

const COMPUTED = 'mode=none, model="m-large"';

test("rows, statistics, answers, exports, Parquet and downloads carry what all open works say alike", async () => {
  const ends = [
    "rows",
    "rows/all.csv",
    "rows/all.ndjson",
    "rows/all.parquet",
    "stats",
    "query",
    "query/all.csv",
  ];
  const all = [...ends, "levels-4.12.csv"].map((end) => `${file}/${end}`);
  const diffs = ["diff", "diff/all.csv", "diff/all.ndjson"].map((end) => `${file}/${end}?base=${other}`);
  const said = { origin: "computed", models: [{ name: "m-large" }] };
  const first = await publishDataset(file, said);
  await publishDataset(other, null);
  // Until its Parquet is written, an address of it answers 503.
  await untilJobsAreDone(service);
  expect(await readHeaders(...all)).toEqual([COMPUTED]);
  expect(await readHeaders(...diffs, `${other}/rows`)).toEqual([null]);
  const page = await request(service, { method: "GET", url: `/@tidewatch/${first.slug}/files/1` });
  expect(page.headers["ai-disclosure"]).toBe(COMPUTED);
  const alike = await publishDataset(file, { ...said, note: "The header has no note." });
  expect(await readHeaders(...all)).toEqual([COMPUTED]);
  const unlike = await publishDataset(file, null);
  expect(await readHeaders(...all)).toEqual([null]);
  const gone = { ifMatch: unlike.lock_version };
  expect((await agent.send("POST", `/creations/${unlike.id}/unpublish`, undefined, gone)).status).toBe(200);
  expect(await readHeaders(...all)).toEqual([COMPUTED]);
  // Of a work the newest revision with the file counts.
  const { attachments, title } = alike.latest_revision.payload;
  const body = { payload: { title, attachments }, disclosure: { origin: "human" }, publish: {} };
  const ifMatch = alike.lock_version;
  const more = { ...body, change_summary: "Written anew." };
  expect((await agent.send("PATCH", `/creations/${alike.id}`, more, { ifMatch })).status).toBe(200);
  expect(await readHeaders(...all)).toEqual([null]);
});
