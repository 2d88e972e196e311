import { expect } from "vitest";
import { HOUR_MS } from "../../../../shared/ground/times.ts";
import { COMMAND_LINE, moderatorActor } from "../../../../shared/identity/audit/record-act.ts";
import { compareUpdate } from "../../../../shared/reading/comparisons/compare-update.ts";
import { removeContent, runCreationCommand } from "../../../../shared/works/creations/take-down.ts";
import { chartOf, writeText } from "../../../api/rules/bound-charts/texts.ts";
import { ask, figureOf } from "../../../api/rules/checked-figures/texts.ts";
import { type Json, makeCreation, publishNew, type TestAgent } from "../../../support/agent.ts";
import { uploadReady } from "../../../support/inspection.ts";
import type { TestService } from "../../../support/service.ts";
import { revise } from "../../../support/work-acts.ts";

const NUMBERS = '[{"n":12345678901234567890,"x":1.50}]';

/** One work of each type, a dataset of two files in the front, which has an update, and a story that asks it. */
export async function makeWorks(service: TestService, agent: TestAgent): Promise<void> {
  const csv = await uploadReady(service, agent, "heights.csv", "station,height_m\nHusum,4.12\n");
  const json = await uploadReady(service, agent, "numbers.json", NUMBERS);
  const text = await uploadReady(service, agent, "notes.md", "# Notes\n");
  const attach = (...files: Json[]) =>
    files.map(({ id }) => ({ asset_id: id, label: "Heights", notes: "Hourly" }));
  const data = { title: "Heights", attachments: attach(csv, json) };
  const dataset = await publishNew(agent, { type: "dataset", payload: data });
  const references = [{ creation_id: dataset.id, relation: "uses" }];
  const story = {
    title: "Größe 水位",
    body_markdown: `She wrote "so".\n\n🌊 — 4.12 m\n\n${writeText([chartOf(csv, { limit: 1 })])}`,
    figures: [figureOf(csv, "4.12", {}, ask("max"))],
    references,
  };
  await publishNew(agent, { slug: "story", payload: story }, { visibility: "unlisted" });
  const more = await uploadReady(service, agent, "more.csv", "station,height_m\nHusum,4.12\nKiel,3\n");
  const attachments = attach(more, json);
  const { latest_revision } = await revise(agent, dataset, { payload: { ...data, attachments } });
  await compareUpdate(service.deps, service.threads, latest_revision.id);
  for (const [type, payload] of [
    ["file", { title: "Notes", attachments: attach(text) }],
    ["collection", { title: "All", entries: [dataset.id] }],
    ["external_project", { title: "Tables", external_url: "https://tides.example.net/" }],
    ["brief", { body_markdown: "The gauge rose." }],
  ] as const) {
    await makeCreation(agent, { type, payload });
  }
}

/** A draft that waits for its publication. */
export async function makeDraftWithSchedule(service: TestService, agent: TestAgent): Promise<void> {
  const draft = await makeCreation(agent, {
    slug: "nul",
    payload: { title: "Waits", body_markdown: "Soon." },
  });
  const publish_at = new Date(service.clock.nowMs + HOUR_MS).toISOString();
  const body = { revision_id: draft.latest_revision.id, publish_at };
  const reply = await agent.send("POST", `/creations/${draft.id}/schedule`, body, { ifMatch: 1 });
  expect(reply.status).toBe(200);
}

/** A work whose first content its owner removed and which a moderator hid. */
export async function makeRemovedContent(
  service: TestService,
  agent: TestAgent,
  moderatorId: string,
): Promise<void> {
  const payload = { title: "Regretted", body_markdown: "Unspeakable words." };
  const first = await publishNew(agent, { slug: "regretted", payload });
  const body = { payload: { ...payload, body_markdown: "Better words." }, change_summary: "Better." };
  await revise(agent, first, body);
  await removeContent(service.deps, COMMAND_LINE, first.latest_revision.id, "owner");
  const moderator = moderatorActor(moderatorId, null);
  await runCreationCommand(service.deps, moderator, first.id, "hide", "It is somebody else's.");
}
