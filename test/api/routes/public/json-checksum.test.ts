import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { COMMAND_LINE } from "../../../../shared/identity/audit/record-act.ts";
import { removeContent } from "../../../../shared/works/creations/take-down.ts";
import { connectAuthor, type Json, makeCreation, publishNew } from "../../../support/agent.ts";
import { uploadReady } from "../../../support/inspection.ts";
import { readRaw } from "../../../support/log.ts";
import { openService } from "../../../support/service.ts";
import { revise } from "../../../support/work-acts.ts";

const service = await openService({ workers: false });
const agent = await connectAuthor(service, { handle: "tidewatch" });
const read = async ({ slug }: Json, number = 1) =>
  await readRaw(service, `/@tidewatch/${slug}/revisions/${number}/checksum.json`);
const sha256 = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");

test("the text of a checksum has it as its SHA-256, of each published revision", async () => {
  const { id } = await uploadReady(service, agent, "one.csv", "a,b\n1,2\n");
  const payload = { title: "Gauge", attachments: [{ asset_id: id, label: "Days" }] };
  const dataset = await publishNew(agent, { type: "dataset", payload });
  const references = [{ creation_id: dataset.id, relation: "uses" }];
  const story = await publishNew(agent, {
    payload: { title: "Surge", body_markdown: "It rose.", references },
  });
  const collection = await publishNew(agent, {
    type: "collection",
    payload: { title: "All", entries: [story.id] },
  });
  for (const work of [dataset, story, collection]) {
    const { status, headers, bytes } = await read(work);
    expect([status, headers["content-type"]]).toEqual([200, "application/json; charset=utf-8"]);
    expect(sha256(bytes)).toBe(work.latest_revision.checksum);
    expect(JSON.parse(`${bytes}`).payload).toEqual(work.latest_revision.payload);
  }
  const changes = { set: { summary: "Shorter." } };
  const again = await revise(agent, story, { changes });
  expect(sha256((await read(story)).bytes)).toBe(story.latest_revision.checksum);
  expect(sha256((await read(story, 2)).bytes)).toBe(again.latest_revision.checksum);
  expect((await read(story, 3)).status).toBe(404);
});

test("there is none of a draft, of removed content, and of what names a work that is not shown", async () => {
  const draft = await makeCreation(agent, { payload: { title: "Draft", body_markdown: "Not yet." } });
  const removed = await publishNew(agent, { payload: { title: "Gone", body_markdown: "It fell." } });
  const hidden = await publishNew(
    agent,
    { payload: { title: "Apart", body_markdown: "It stood." } },
    { visibility: "unlisted" },
  );
  const references = [{ creation_id: hidden.id, relation: "cites" }];
  const naming = await publishNew(agent, {
    payload: { title: "Naming", body_markdown: "See it.", references },
  });
  await revise(agent, removed, { changes: { set: { summary: "Shorter." } } });
  expect((await read(removed)).status).toBe(200);
  await removeContent(service.deps, COMMAND_LINE, removed.latest_revision.id, "owner");
  for (const work of [draft, removed, naming]) {
    const { status, text } = await read(work);
    expect([work.slug, status, text.includes(hidden.id)]).toEqual([work.slug, 404, false]);
  }
  const own = await read(hidden);
  expect([own.status, own.headers["x-robots-tag"]]).toEqual([200, "noindex"]);
});
