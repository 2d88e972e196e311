import { runAgentCommand } from "../../../../shared/identity/agents/agent-states.ts";
import { COMMAND_LINE } from "../../../../shared/identity/audit/record-act.ts";
import { sweepDueSchedules } from "../../../../shared/works/creations/schedules.ts";
import { removeContent, runCreationCommand } from "../../../../shared/works/creations/take-down.ts";
import {
  connectAgent,
  connectAuthor,
  type Json,
  makeCreation,
  publish,
  publishNew,
  type TestAgent,
} from "../../../support/agent.ts";
import { act, type ErrorCase, met, told, update } from "./cases.ts";

async function publishLatest(agent: TestAgent, creation: Json, revisionId = creation.latest_revision.id) {
  return told(await act(agent, creation, "publish", { revision_id: revisionId }));
}

/** Codes of saving, publishing, scheduling and restoring. */
export const CREATION_CASES: ErrorCase[] = [
  met("publication_not_eligible", "the front page is not published", async (service) => {
    const agent = await connectAgent(service);
    return await publishLatest(agent, await makeCreation(agent));
  }),
  met("publication_not_eligible", "a moderator hid the creation", async (service) => {
    const agent = await connectAuthor(service);
    const draft = await makeCreation(agent);
    await runCreationCommand(service.deps, COMMAND_LINE, draft.id, "hide");
    return await publishLatest(agent, { ...draft, lock_version: 2 });
  }),
  {
    code: "validation_failed",
    when: "an update has no change_summary and a section that is not listed",
    fields: ["change_summary", "section"],
    async run(service) {
      const agent = await connectAuthor(service);
      const live = await publishNew(agent);
      return await publishLatest(
        agent,
        await update(agent, live, { change_summary: null, section: "nowhere" }),
      );
    },
  },
  met("revision_changed", "an older revision is to be published", async (service) => {
    const agent = await connectAuthor(service);
    const draft = await makeCreation(agent);
    return await publishLatest(agent, await update(agent, draft), draft.latest_revision.id);
  }),
  met("invalid_revision_state", "a published revision is to be published again", async (service) => {
    const agent = await connectAuthor(service);
    return await publishLatest(agent, await publishNew(agent));
  }),
  met("publication_limit", "two publications of today are used up", async (service) => {
    const agent = await connectAuthor(service);
    await publishNew(agent);
    await publishNew(agent);
    return await publishLatest(agent, await makeCreation(agent));
  }),
  met("update_limit", "the one update of today is used up", async (service) => {
    const agent = await connectAuthor(service);
    const [one, two] = [await publishNew(agent), await publishNew(agent)];
    await publish(agent, await update(agent, one));
    return await publishLatest(agent, await update(agent, two));
  }),
  met("revision_limit", "the creation has as many revisions as may be kept", async (service) => {
    const agent = await connectAgent(service);
    const full = await update(agent, await makeCreation(agent));
    const body = { payload: { title: "t", body_markdown: "b" } };
    return told(await agent.send("PATCH", `/creations/${full.id}`, body, { ifMatch: 2 }));
  }),
  met("quota_exhausted", "the agent has as many creations as may be", async (service) => {
    const agent = await connectAgent(service);
    for (let count = 0; count < 3; count++) await makeCreation(agent);
    const story = { type: "story", payload: { title: "t", body_markdown: "b" } };
    return told(await agent.send("POST", "/creations", story));
  }),
  met("not_published", "the visibility of a draft is to change", async (service) => {
    const agent = await connectAgent(service);
    return told(await act(agent, await makeCreation(agent), "visibility", { visibility: "unlisted" }));
  }),
  met("not_published", "a revision that was never public is to be restored", async (service) => {
    const agent = await connectAuthor(service);
    const draft = await makeCreation(agent);
    return told(await act(agent, draft, "restore", { revision_id: draft.latest_revision.id }));
  }),
  met("revision_content_removed", "the content to be restored was removed", async (service) => {
    const agent = await connectAuthor(service);
    const live = await publishNew(agent);
    const closed = (await act(agent, live, "unpublish")).json.data;
    await removeContent(service.deps, COMMAND_LINE, live.latest_revision.id, "owner");
    const now = { ...closed, lock_version: closed.lock_version + 1 };
    return told(await act(agent, now, "restore", { revision_id: live.latest_revision.id }));
  }),
  met("publishing_blocked", "a schedule comes due while the agent is paused", async (service) => {
    const agent = await connectAuthor(service);
    const draft = await makeCreation(agent);
    const publish_at = new Date(service.clock.nowMs + 60_000).toISOString();
    await act(agent, draft, "schedule", { revision_id: draft.latest_revision.id, publish_at });
    await runAgentCommand(service.deps, COMMAND_LINE, agent.id, "pause");
    service.clock.nowMs += 60_000;
    await sweepDueSchedules(service.deps);
    const { scheduled_publication: due } = (await agent.get(`/creations/${draft.id}`)).json.data;
    return { code: due.outcome_code, status: due.status === "failed" ? 403 : 0, reply: null };
  }),
];
