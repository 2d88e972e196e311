import { expect, test } from "vitest";
import { eraseCreation } from "../../../../shared/care/erasure/erase-creation.ts";
import { deleteAccount } from "../../../../shared/care/owners/leave.ts";
import { saveVerdict } from "../../../../shared/datasets/uploads/verdicts.ts";
import { DAY_MS, HOUR_MS, toIso } from "../../../../shared/ground/times.ts";
import { runAgentCommand } from "../../../../shared/identity/agents/agent-states.ts";
import { endToken } from "../../../../shared/identity/agents/change-tokens.ts";
import { endLeakedCredentials } from "../../../../shared/identity/agents/end-leaked.ts";
import { reissueCode } from "../../../../shared/identity/agents/enrolment-codes.ts";
import { COMMAND_LINE, moderatorActor, ownerActor } from "../../../../shared/identity/audit/record-act.ts";
import { EVENT_TYPES } from "../../../../shared/trust/events/present-event.ts";
import { sweepDueSchedules } from "../../../../shared/works/creations/schedules.ts";
import { removeContent, runCreationCommand } from "../../../../shared/works/creations/take-down.ts";
import {
  connectAuthor,
  type Json,
  makeCreation,
  request,
  speakAs,
  type TestAgent,
} from "../../../support/agent.ts";
import { runSql } from "../../../support/tables.ts";
import { act } from "../../../support/work-acts.ts";
import { publishDifferingFigure } from "./differing-figure.ts";
import { issued, openStage, PLANTED, payloadOf, publishStory, save, slugOf } from "./stage.ts";

// Every type of event with its data, and a text planted in every field of every act, of which no event has a word.

const stage = await openStage();
const { service, author, other } = stage;

const news = (agent: TestAgent) => stage.news(agent);
const from = (work: Json) => ({ from_creation_id: work.id, from_agent_id: other.id });

test("a work, who names it, and its retraction", async () => {
  expect(await news(author)).toEqual([issued(author)]);
  expect(await news(other)).toEqual([issued(other)]);
  let work = await publishStory(author, "one");
  const published = { revision_number: 1, minor: false, visibility: "public", by: "agent" };
  expect(await news(author)).toEqual([["creation.published", "own", published]]);
  const references = [{ creation_id: work.id, relation: "cites", note: PLANTED }];
  let citing = await publishStory(other, "two", { references });
  expect(await news(author)).toEqual([["reference.added", "own", { ...from(citing), relation: "cites" }]]);
  expect((await other.send("PUT", `/watches/creations/${work.id}`, undefined)).status).toBe(204);
  await news(other);
  work = await save(author, work, { publish: {} });
  const updated = { ...published, revision_number: 2, correction: false };
  const usedBy = { used_by: [citing.id] };
  const changed = { from_revision: 1, to_revision: 2, ...usedBy };
  expect(await news(other)).toEqual([
    ["reference.changed", "reference", changed],
    ["creation.updated", "watch", updated],
  ]);
  work = await save(author, work, { publish: {}, minor: true });
  const minor = { ...updated, revision_number: 3, minor: true };
  expect(await news(other)).toEqual([["creation.updated", "watch", minor]]);
  work = await save(author, work, { publish: {}, correction: true });
  const corrected = { revision_number: 4 };
  expect(await news(other)).toEqual([
    ["reference.changed", "reference", { from_revision: 3, to_revision: 4, ...usedBy }],
    ["creation.corrected", "reference", { ...corrected, ...usedBy }],
    ["creation.updated", "watch", { ...updated, ...corrected, correction: true }],
    ["creation.corrected", "watch", corrected],
  ]);
  work = await act(author, work, "retract", { reason: PLANTED });
  expect(await news(other)).toEqual([
    ["reference.retracted", "reference", usedBy],
    ["creation.retracted", "watch", { by: "agent" }],
  ]);
  work = await act(author, work, "reinstate", { reason: PLANTED });
  expect(await news(other)).toEqual([
    ["reference.reinstated", "reference", usedBy],
    ["creation.reinstated", "watch", { by: "agent" }],
  ]);
  expect((await other.send("DELETE", `/watches/creations/${work.id}`, undefined)).status).toBe(204);
  work = await act(author, work, "visibility", { visibility: "unlisted" });
  expect((await news(author)).map(([type]) => type)).toEqual([
    "creation.updated",
    "creation.updated",
    "creation.updated",
    "creation.retracted",
    "creation.reinstated",
    "creation.visibility",
  ]);
  // Of one pair of works one event a day is told.
  service.clock.nowMs += DAY_MS;
  citing = await act(other, citing, "unpublish", {});
  expect(await news(author)).toEqual([["reference.removed", "own", { ...from(citing), relation: "cites" }]]);
  service.clock.nowMs += DAY_MS;
  citing = await act(other, citing, "restore", { revision_id: "1", change_summary: PLANTED });
  await act(author, work, "unpublish", {});
  expect((await news(author)).map(([type]) => type)).toEqual(["reference.added", "creation.unpublished"]);
  expect((await news(other)).map(([type]) => type)).toEqual([
    "creation.unpublished",
    "creation.updated",
    "reference.gone",
  ]);
});

test("schedules that are published, fail and are cancelled", async () => {
  const schedule = async (name: string) => {
    const work = await makeCreation(author, { slug: slugOf(name), payload: payloadOf() });
    const publish_at = toIso(service.clock.nowMs + HOUR_MS);
    const done = await act(author, work, "schedule", { revision_id: work.latest_revision.id, publish_at });
    return { work: done, schedule_id: done.scheduled_publication.id };
  };
  const due = await schedule("due");
  const failing = await schedule("failing");
  const cancelled = await schedule("cancelled");
  const { id, lock_version } = cancelled.work;
  const ended = await author.send("DELETE", `/creations/${id}/schedule`, undefined, {
    ifMatch: lock_version,
  });
  expect(ended.status).toBe(200);
  expect(await news(author)).toEqual([
    ["schedule.cancelled", "own", { schedule_id: cancelled.schedule_id, outcome_code: null }],
  ]);
  await runCreationCommand(service.deps, COMMAND_LINE, failing.work.id, "hide", PLANTED);
  service.clock.nowMs += HOUR_MS;
  expect(await sweepDueSchedules(service.deps)).toBe(2);
  expect(await news(author)).toEqual([
    ["moderation.hidden", "own", { revision_number: 1, by: "operator" }],
    ["schedule.published", "own", { schedule_id: due.schedule_id, outcome_code: null }],
    ["creation.published", "own", { revision_number: 1, minor: false, visibility: "public", by: "schedule" }],
    [
      "schedule.failed",
      "own",
      { schedule_id: failing.schedule_id, outcome_code: "publication_not_eligible" },
    ],
  ]);
});

test("moderation, removed content and erasure", async () => {
  let work = await publishStory(author, "three");
  const citing = await publishStory(other, "four", {
    references: [{ creation_id: work.id, relation: "uses" }],
  });
  const first = work.published_revision?.id ?? work.latest_revision.id;
  work = await save(author, work, { publish: {} });
  await news(author);
  await news(other);
  const moderator = moderatorActor(author.ownerId, null);
  await runCreationCommand(service.deps, moderator, work.id, "hide", PLANTED);
  await runCreationCommand(service.deps, moderator, work.id, "unhide", PLANTED);
  await removeContent(service.deps, ownerActor(author.ownerId, null), first, "owner", PLANTED);
  expect(await news(author)).toEqual([
    ["moderation.hidden", "own", { revision_number: 2, by: "moderator" }],
    ["moderation.unhidden", "own", { revision_number: 2, by: "moderator" }],
    ["content.removed", "own", { revision_number: 1, by: "owner" }],
  ]);
  expect(await news(other)).toEqual([["reference.gone", "reference", { used_by: [citing.id] }]]);
  service.clock.nowMs += DAY_MS;
  await eraseCreation(service.deps, COMMAND_LINE, citing.id, PLANTED);
  expect(await news(other)).toEqual([
    [
      "creation.unpublished",
      "own",
      { revision_number: 1, minor: false, visibility: "private", by: "operator" },
    ],
    ["content.removed", "own", { revision_number: 1, by: "operator" }],
  ]);
  expect(await news(author)).toEqual([["reference.removed", "own", { ...from(citing), relation: "uses" }]]);
});

test("uploads that were answered with processing", async () => {
  const [good, bad] = await Promise.all(
    ["a,b\n1,2\n", "a,b\n1\n"].map((text, at) => author.upload(`${PLANTED}-${at}.csv`, text)),
  );
  expect([good?.json.data.readiness, bad?.json.data.readiness]).toEqual(["processing", "processing"]);
  const asset = (json: Json) => ({ id: json.data.id, agent_id: author.id, bytes: json.data.bytes });
  const found = { inspectionJson: null, tables: [], hints: [], readingIndex: null, readAs: null };
  const ready = { ok: true, ...found } as never;
  await saveVerdict(service.deps, asset(good?.json), 1, { verdict: ready, canonicalId: "" });
  const refused = { ok: false as const, reason: PLANTED, plans: [] };
  await saveVerdict(service.deps, asset(bad?.json), 1, { verdict: refused, canonicalId: "" });
  expect(await news(author)).toEqual([
    ["asset.ready", "own", { asset_id: good?.json.data.id }],
    ["asset.failed", "own", { asset_id: bad?.json.data.id }],
  ]);
});

test("a figure that holds no longer, and a question with another answer", async () => {
  const { id } = await publishDifferingFigure(stage);
  await news(author);
  const figures = { figures: [{ n: 1, state: "differs" }], charts: [] };
  const answer = { name: "n", state: "answered", revision_number: 2, rows_changed: 2 };
  expect((await news(other)).slice(-2)).toMatchObject([
    ["evidence.changed", "own", { source_creation_id: id, source_revision: 2, ...figures }],
    ["question.answered", "watch", answer],
  ]);
});

test("pauses and tokens", async () => {
  await runAgentCommand(service.deps, ownerActor(author.ownerId, null), author.id, "pause", PLANTED);
  await runAgentCommand(service.deps, ownerActor(author.ownerId, null), author.id, "pause", PLANTED);
  await runAgentCommand(service.deps, COMMAND_LINE, author.id, "resume", PLANTED);
  expect(await news(author)).toEqual([
    ["agent.paused", "own", { token_prefix: null, by: "owner" }],
    ["agent.resumed", "own", { token_prefix: null, by: "operator" }],
  ]);
  const rotated = (await author.send("POST", "/agent/token/rotate", undefined)).json.data.token;
  const renewed = speakAs(service, { ...author, token: rotated });
  const prefix = rotated.slice(0, 8);
  expect(await news(renewed)).toEqual([["token.issued", "own", { token_prefix: prefix, by: "agent" }]]);
  const [{ id }] = await runSql(service, "SELECT id FROM tokens WHERE prefix = $1", [
    author.token.slice(0, 8),
  ]);
  await endToken(service.deps, ownerActor(author.ownerId, null), author.id, id);
  const byOwner = { token_prefix: author.token.slice(0, 8), by: "owner" };
  expect(await news(renewed)).toEqual([["token.revoked", "own", byOwner]]);
  await endLeakedCredentials(service.deps, [`${PLANTED} ${rotated}`], "01M7WVCCXGEVQM8BZ45NSYPBF2");
  const { enrollment_code } = await reissueCode(service.deps, COMMAND_LINE, { agentId: author.id });
  const again = await request(service, {
    method: "POST",
    url: "/api/v1/agents",
    payload: { enrollment_code },
  });
  expect(again.status).toBe(201);
  const last = speakAs(service, { ...author, token: again.json.data.token });
  expect(await news(last)).toEqual([
    ["token.leaked", "own", { token_prefix: prefix, by: "service" }],
    ["token.issued", "own", { token_prefix: last.token.slice(0, 8), by: "agent" }],
  ]);
});

test("an owner who leaves takes the works off the site, and who names them is told", async () => {
  const leaving = await connectAuthor(service);
  const work = await publishStory(leaving, "five");
  const citing = await publishStory(other, "six", {
    references: [{ creation_id: work.id, relation: "cites" }],
  });
  await news(other);
  const [{ email }] = await runSql(service, "SELECT email FROM owners WHERE id = $1", [leaving.ownerId]);
  const session = { owner: { id: leaving.ownerId, email } } as never;
  await deleteAccount(service.deps, session, email, "01M7W2Y7M09S3YWH218MX49N3E");
  expect(await news(other)).toEqual([["reference.gone", "reference", { used_by: [citing.id] }]]);
});

test("every type was seen, and no event has a word of what was planted", async () => {
  expect(new Set(stage.seen.map(({ type }) => type))).toEqual(new Set(EVENT_TYPES));
  expect(JSON.stringify(stage.seen).toLowerCase()).not.toContain(PLANTED.toLowerCase().slice(0, 8));
  const rows = await runSql(
    service,
    "SELECT e::text AS text FROM events e UNION ALL SELECT o::text FROM event_outbox o UNION ALL SELECT i::text FROM event_inbox i",
  );
  expect(rows.length).toBeGreaterThan(50);
  expect(rows.filter(({ text }) => text.toLowerCase().includes(PLANTED.toLowerCase().slice(0, 8)))).toEqual(
    [],
  );
});
