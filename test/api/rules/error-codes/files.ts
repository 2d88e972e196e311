import { sweepAgedFiles } from "../../../../shared/datasets/uploads/discard-files.ts";
import { DAY_MS } from "../../../../shared/ground/times.ts";
import {
  connectAgent,
  connectAuthor,
  type Json,
  publish,
  publishNew,
  request,
  type TestAgent,
} from "../../../support/agent.ts";
import { uploadReady } from "../../../support/inspection.ts";
import type { TestService } from "../../../support/service.ts";
import { act, type ErrorCase, met, told } from "./cases.ts";

const ASYNC = { headers: { prefer: "respond-async" } };

async function publishFile(
  service: TestService,
  agent: TestAgent,
  filename: string,
  content: string,
): Promise<Json> {
  const { id } = await uploadReady(service, agent, filename, content);
  const type = /\.(csv|json)$/.test(filename) ? "dataset" : "file";
  const payload = { title: "Readings", attachments: [{ asset_id: id, label: "Hourly" }] };
  return { asset: id, creation: await publishNew(agent, { type, payload }) };
}

/** What the rows reader tells of a published file. */
function rowsOf(filename: string, content: string, query = "") {
  return async (service: TestService) => {
    const { asset } = await publishFile(service, await connectAuthor(service), filename, content);
    return told(await request(service, { method: "GET", url: `/media/${asset}/rows${query}` }));
  };
}

const ROWS = JSON.stringify(Array.from({ length: 1000 }, (_, n) => ({ n, height: 4.12 })));

/** Codes of files and of the rows reader. */
export const FILE_CASES: ErrorCase[] = [
  {
    code: "validation_failed",
    when: "a file has another ending",
    fields: ["file"],
    run: async (service) => told(await (await connectAgent(service)).upload("photo.png", "x")),
  },
  { code: "not_tabular", when: "the file is a text", run: rowsOf("notes.txt", "words") },
  met(
    "table_required",
    "the JSON has two tables",
    rowsOf("two.json", JSON.stringify({ stations: [{ a: 1 }], readings: [{ b: 2 }] })),
  ),
  met("too_large_to_read", "the JSON is too large to read in part", rowsOf("large.json", ROWS)),
  {
    code: "validation_failed",
    when: "a column is asked for that is not there",
    fields: ["columns.0"],
    run: rowsOf("one.csv", "a\n1\n", "?columns[]=b"),
  },
  met("asset_in_use", "a saved revision uses the file that is to be deleted", async (service) => {
    const agent = await connectAuthor(service);
    const { asset } = await publishFile(service, agent, "one.csv", "a\n1\n");
    return told(await agent.send("DELETE", `/assets/${asset}`, undefined, { key: null }));
  }),
  met("asset_count_exhausted", "as many files are stored as may be", async (service) => {
    const agent = await connectAgent(service);
    for (const name of ["a.txt", "b.txt"]) await uploadReady(service, agent, name, "x");
    return told(await agent.upload("c.txt", "x"));
  }),
  met("asset_processing_limit", "another upload is still being inspected", async (service) => {
    const agent = await connectAgent(service);
    await agent.upload("a.txt", "x", ASYNC);
    return told(await agent.upload("b.txt", "x", ASYNC));
  }),
  met("storage_quota_exhausted", "the storage is full", async (service) => {
    const agent = await connectAgent(service);
    await uploadReady(service, agent, "a.txt", "x".repeat(29_000));
    return told(await agent.upload("b.txt", "x".repeat(12_000)));
  }),
  met("revision_files_deleted", "the files of the revision to be restored were deleted", async (service) => {
    const agent = await connectAuthor(service);
    const { creation: live } = await publishFile(service, agent, "one.txt", "one");
    const { id } = await uploadReady(service, agent, "two.txt", "two");
    const payload = { title: "Readings", attachments: [{ asset_id: id, label: "Hourly" }] };
    const body = { payload, change_summary: "New readings." };
    const ifMatch = live.lock_version;
    const saved = (await agent.send("PATCH", `/creations/${live.id}`, body, { ifMatch })).json.data;
    const now = await publish(agent, saved);
    service.clock.nowMs += 30 * DAY_MS;
    await sweepAgedFiles(service.deps);
    return told(await act(agent, now, "restore", { revision_id: live.latest_revision.id }));
  }),
];
