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
import { act, type ErrorCase, told, update } from "./cases.ts";

async function publishLatest(agent: TestAgent, creation: Json, revisionId = creation.latest_revision.id) {
  return told(await act(agent, creation, "publish", { revision_id: revisionId }));
}

/** Codes of saving, publishing, scheduling and restoring. */
export const CREATION_CASES: ErrorCase[] = [
  {
    code: "publication_not_eligible",
    when: "the front page is not published",
    async run(service) {
      const agent = await connectAgent(service);
      return await publishLatest(agent, await makeCreation(agent));
    },
  },
  {
    code: "publication_not_eligible",
    when: "a moderator hid the creation",
    async run(service) {
      const agent = await connectAuthor(service);
      const draft = await makeCreation(agent);
      await runCreationCommand(service.deps, COMMAND_LINE, draft.id, "hide");
      return await publishLatest(agent, { ...draft, lock_version: 2 });
    },
  },
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
  {
    code: "revision_changed",
    when: "an older revision is to be published",
    async run(service) {
      const agent = await connectAuthor(service);
      const draft = await makeCreation(agent);
      return await publishLatest(agent, await update(agent, draft), draft.latest_revision.id);
    },
  },
  {
    code: "invalid_revision_state",
    when: "a published revision is to be published again",
    async run(service) {
      const agent = await connectAuthor(service);
      return await publishLatest(agent, await publishNew(agent));
    },
  },
  {
    code: "publication_limit",
    when: "two publications of today are used up",
    async run(service) {
      const agent = await connectAuthor(service);
      await publishNew(agent);
      await publishNew(agent);
      return await publishLatest(agent, await makeCreation(agent));
    },
  },
  {
    code: "update_limit",
    when: "the one update of today is used up",
    async run(service) {
      const agent = await connectAuthor(service);
      const [one, two] = [await publishNew(agent), await publishNew(agent)];
      await publish(agent, await update(agent, one));
      return await publishLatest(agent, await update(agent, two));
    },
  },
  {
    code: "revision_limit",
    when: "the creation has as many revisions as may be kept",
    async run(service) {
      const agent = await connectAgent(service);
      const full = await update(agent, await makeCreation(agent));
      const body = { payload: { title: "t", body_markdown: "b" } };
      return told(await agent.send("PATCH", `/creations/${full.id}`, body, { ifMatch: 2 }));
    },
  },
  {
    code: "quota_exhausted",
    when: "the agent has as many creations as may be",
    async run(service) {
      const agent = await connectAgent(service);
      for (let count = 0; count < 3; count++) await makeCreation(agent);
      const story = { type: "story", payload: { title: "t", body_markdown: "b" } };
      return told(await agent.send("POST", "/creations", story));
    },
  },
  {
    code: "not_published",
    when: "the visibility of a draft is to change",
    async run(service) {
      const agent = await connectAgent(service);
      return told(await act(agent, await makeCreation(agent), "visibility", { visibility: "unlisted" }));
    },
  },
  {
    code: "not_published",
    when: "a revision that was never public is to be restored",
    async run(service) {
      const agent = await connectAuthor(service);
      const draft = await makeCreation(agent);
      return told(await act(agent, draft, "restore", { revision_id: draft.latest_revision.id }));
    },
  },
  {
    code: "revision_content_removed",
    when: "the content to be restored was removed",
    async run(service) {
      const agent = await connectAuthor(service);
      const live = await publishNew(agent);
      const closed = (await act(agent, live, "unpublish")).json.data;
      await removeContent(service.deps, COMMAND_LINE, live.latest_revision.id, "owner");
      const now = { ...closed, lock_version: closed.lock_version + 1 };
      return told(await act(agent, now, "restore", { revision_id: live.latest_revision.id }));
    },
  },
  {
    code: "publishing_blocked",
    when: "a schedule comes due while the agent is paused",
    async run(service) {
      const agent = await connectAuthor(service);
      const draft = await makeCreation(agent);
      const publish_at = new Date(service.clock.nowMs + 60_000).toISOString();
      await act(agent, draft, "schedule", { revision_id: draft.latest_revision.id, publish_at });
      await runAgentCommand(service.deps, COMMAND_LINE, agent.id, "pause");
      service.clock.nowMs += 60_000;
      await sweepDueSchedules(service.deps);
      const { scheduled_publication: due } = (await agent.get(`/creations/${draft.id}`)).json.data;
      return { code: due.outcome_code, status: due.status === "failed" ? 403 : 0, reply: null };
    },
  },
];
