import { describe, expect, test } from "vitest";
import { deleteArchive, requestExport } from "../../shared/care/archive/exports.ts";
import { sweepUnsaidQuestions } from "../../shared/datasets/questions/ask-again.ts";
import { orderBehindVerdict } from "../../shared/datasets/uploads/inspect-upload.ts";
import { sweepUploads } from "../../shared/datasets/uploads/sweeps.ts";
import { COMMAND_LINE } from "../../shared/identity/audit/record-act.ts";
import { JOB_NAMES, type JobName, type JobPayload } from "../../shared/platform/jobs/catalogue.ts";
import { orderWork } from "../../shared/platform/pending-work/order-work.ts";
import { removeContent, runCreationCommand } from "../../shared/works/creations/take-down.ts";
import { JOBS } from "../../workers/jobs.ts";
import { connectAuthor, type Json, makeCreation, publishNew } from "../support/agent.ts";
import { uploadReady } from "../support/inspection.ts";
import { openService } from "../support/service.ts";
import { dumpTables, listStoredFiles, runSql } from "../support/tables.ts";

// Every job of the catalogue may run twice, and long after what it was enqueued for has changed or gone.

const NOBODY = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
const CSV = "station,height_m\nHusum,4.12\n";
const DRAWN = "Read:\n\n```mermaid\nflowchart TD\n  A[Rain] --> B[Gauge]\n```\n";

const service = await openService({ workers: false });
const agent = await connectAuthor(service, { handle: "tidewatch" });

/** How a job is enqueued, and what others do before its second run. */
interface Case<Name extends JobName> {
  enqueue(): Promise<JobPayload<Name>>;
  /** The same payload for a row that never was. */
  forNobody: JobPayload<Name>;
  /** The row moves on; the work that this asks for is done. */
  moveOn(payload: JobPayload<Name>): Promise<unknown>;
}

const CASES: { [Name in JobName]: Case<Name> } = {
  "inspect-asset": {
    enqueue: async () => ({ asset_id: (await upload()).id, attempt: 1 }),
    forNobody: { asset_id: NOBODY, attempt: 1 },
    // It hung: a newer attempt is on its way.
    async moveOn({ asset_id }) {
      await runSql(
        service,
        "UPDATE assets SET readiness = 'processing', inspection = NULL, tables = NULL, stats = NULL WHERE id = $1",
        [asset_id],
      );
      service.clock.nowMs += 31_000;
      await sweepUploads(service.deps);
    },
  },
  "measure-asset": {
    enqueue: async () => ({
      asset_id: (await uploadReady(service, agent, "gauges.csv", CSV)).id,
      attempt: 1,
    }),
    forNobody: { asset_id: NOBODY, attempt: 1 },
    moveOn: ({ asset_id }) => agent.send("DELETE", `/assets/${asset_id}`, undefined, { key: null }),
  },
  "write-parquet": {
    async enqueue() {
      const { id } = await uploadReady(service, agent, "gauges.csv", CSV);
      await orderBehindVerdict(service.deps, id);
      return { asset_id: id };
    },
    forNobody: { asset_id: NOBODY },
    moveOn: ({ asset_id }) => agent.send("DELETE", `/assets/${asset_id}`, undefined, { key: null }),
  },
  "compare-files": {
    enqueue: async () => ({ revision_id: await publishTwice() }),
    forNobody: { revision_id: NOBODY },
    async moveOn({ revision_id }) {
      await runCreationCommand(service.deps, COMMAND_LINE, await findCreationOf(revision_id), "unpublish");
      await removeContent(service.deps, COMMAND_LINE, revision_id, "owner");
    },
  },
  "ask-again": {
    async enqueue() {
      const { id } = await uploadReady(service, agent, "gauges.csv", CSV);
      const { latest_revision } = await publishNew(agent, { payload: await writeFigure(id) });
      const before = `UPDATE revision_figures SET says_blanks = false, question = question::jsonb - 'blank'`;
      await runSql(service, before);
      await sweepUnsaidQuestions(service.deps);
      return { revision_id: latest_revision.id };
    },
    forNobody: { revision_id: NOBODY },
    async moveOn({ revision_id }) {
      await runCreationCommand(service.deps, COMMAND_LINE, await findCreationOf(revision_id), "unpublish");
      await removeContent(service.deps, COMMAND_LINE, revision_id, "owner");
    },
  },
  "ask-standing": {
    async enqueue() {
      const { id } = await uploadReady(service, agent, "gauges.csv", CSV);
      const named = { title: "Gauges", attachments: [{ asset_id: id, label: "Gauges" }] };
      const made = await makeCreation(agent, { type: "dataset", payload: named, publish: {} });
      await publishNew(agent, { payload: await writeFigure(id) });
      const { id: newer } = await uploadReady(service, agent, "gauges.csv", `${CSV}Bremen,4.40\n`);
      const payload = { ...named, attachments: [{ asset_id: newer, label: "Gauges" }] };
      const body = { payload, change_summary: "One more.", publish: {} };
      await agent.send("PATCH", `/creations/${made.id}`, body, { ifMatch: made.lock_version });
      return { creation_id: made.id };
    },
    forNobody: { creation_id: NOBODY },
    async moveOn({ creation_id }) {
      const asking = "SELECT creation_id AS id FROM standing_questions WHERE source_id = $1";
      const [text] = await runSql(service, asking, [creation_id]);
      await runCreationCommand(service.deps, COMMAND_LINE, text.id, "unpublish");
    },
  },
  "draw-blocks": {
    async enqueue() {
      const { latest_revision } = await publishStory("Drawn");
      return { of: "creation", revision_id: latest_revision.id, attempt: 1 };
    },
    forNobody: { of: "creation", revision_id: NOBODY, attempt: 1 },
    async moveOn({ revision_id }) {
      await runCreationCommand(service.deps, COMMAND_LINE, await findCreationOf(revision_id), "unpublish");
      await removeContent(service.deps, COMMAND_LINE, revision_id, "owner");
    },
  },
  "build-feed": {
    async enqueue() {
      await publishStory("Fed");
      return { feed_key: `agent:${agent.id}` };
    },
    forNobody: { feed_key: `agent:${NOBODY}` },
    async moveOn(payload) {
      await publishStory("Fed once more");
      await run("build-feed", payload);
    },
  },
  "notify-hub": {
    async enqueue() {
      const payload = { creation_id: (await publishStory("Told")).id };
      const { pool } = service.deps;
      await pool.transaction((tx) => orderWork(tx, service.deps, [{ name: "notify-hub", payload }]));
      return payload;
    },
    forNobody: { creation_id: NOBODY },
    moveOn: ({ creation_id }) => runCreationCommand(service.deps, COMMAND_LINE, creation_id, "unpublish"),
  },
  "make-export": {
    enqueue: async () => ({ export_id: await requestArchive() }),
    forNobody: { export_id: NOBODY },
    async moveOn({ export_id }) {
      await deleteArchive(service.deps, COMMAND_LINE, agent.ownerId, export_id);
      await requestArchive();
    },
  },
};

describe.for(JOB_NAMES)("the job %s", (name) => {
  test("run twice changes nothing the second time, and late nothing at all", async () => {
    await expectNoTrace(name, CASES[name]);
  });
});

async function expectNoTrace<Name extends JobName>(name: Name, { enqueue, forNobody, moveOn }: Case<Name>) {
  const payload = await enqueue();
  const before = await dumpAll();
  await run(name, payload);
  const after = await dumpAll();
  expect(after, "the first run did nothing").not.toBe(before);
  await run(name, payload);
  expect(await dumpAll(), "the second run").toBe(after);
  await Promise.all([run(name, payload), run(name, payload)]);
  expect(await dumpAll(), "two more at once").toBe(after);
  await run(name, forNobody);
  expect(await dumpAll(), "a run for a row that never was").toBe(after);
  await moveOn(payload);
  const moved = await dumpAll();
  expect(moved, "nothing moved on").not.toBe(after);
  await run(name, payload);
  expect(await dumpAll(), "a late run").toBe(moved);
}

async function run<Name extends JobName>(name: Name, payload: JobPayload<Name>): Promise<void> {
  const told = { id: "by-hand", attempt: 1, signal: new AbortController().signal };
  await JOBS[name](service, payload, told);
}

/** All rows and all stored files. */
async function dumpAll(): Promise<string> {
  const files = await listStoredFiles(service, { withParquet: true });
  return [await dumpTables(service, { withStats: true }), files.join("\n")].join("\n");
}

async function upload(): Promise<Json> {
  return (await agent.upload("gauges.csv", CSV, { headers: { prefer: "respond-async" } })).json.data;
}

/** Publishes a dataset and an update with a further row; the id of the update's revision. */
async function publishTwice(): Promise<string> {
  const describe = async (csv: string) => ({
    title: "Gauges",
    attachments: [{ asset_id: (await uploadReady(service, agent, "gauges.csv", csv)).id, label: "Gauges" }],
  });
  const made = await makeCreation(agent, { type: "dataset", payload: await describe(CSV), publish: {} });
  const body = { payload: await describe(`${CSV}Bremen,4.40\n`), change_summary: "One more.", publish: {} };
  const saved = await agent.send("PATCH", `/creations/${made.id}`, body, { ifMatch: made.lock_version });
  return saved.json.data.latest_revision.id;
}

/** A story with one figure of a file. */
async function writeFigure(assetId: string): Promise<Json> {
  const { content_sha256 } = (await agent.get(`/assets/${assetId}`)).json.data;
  const from = { asset_id: assetId, content_sha256, aggregate: [{ op: "max", column: "height_m" }] };
  return { title: "Asked", body_markdown: "It was 4.12.", figures: [{ text: "4.12", from }] };
}

async function requestArchive(): Promise<string> {
  await requestExport(service.deps, COMMAND_LINE, agent.ownerId);
  const [row] = await runSql(service, "SELECT id FROM owner_exports WHERE state = 'waiting'");
  return row.id;
}

async function publishStory(title: string): Promise<Json> {
  return await publishNew(agent, { payload: { title, body_markdown: DRAWN } });
}

async function findCreationOf(revisionId: string): Promise<string> {
  const [row] = await runSql(service, "SELECT creation_id FROM creation_revisions WHERE id = $1", [
    revisionId,
  ]);
  return row.creation_id;
}
