import { type Json, makeCreation, publishNew, type Reply, type TestAgent } from "../../support/agent.ts";
import type { TestService } from "../../support/service.ts";
import { runSql, setAgentTimestamp } from "../../support/tables.ts";

export const story = {
  type: "story",
  payload: { title: "November surge", body_markdown: "The gauge rose 1.2 m." },
};
export const { payload } = story;
export const LATER = { schedule: { publish_at: "2026-12-24T12:00:00Z" } };

export const create = (agent: TestAgent, more: object, options = {}) =>
  agent.send("POST", "/creations", { ...story, ...more }, options);

export const save = (agent: TestAgent, creation: Json, more: object) =>
  agent.send("PATCH", `/creations/${creation.id}`, { payload, ...more }, { ifMatch: creation.lock_version });

interface Refused {
  says: string;
  expected: string;
  fields?: string[];
  /** What the agent sends, after what makes the refusal. */
  attempt(agent: TestAgent, service: TestService): Promise<() => Promise<Reply>>;
  profile?: false;
  abilities?: string[];
}

/** A refusal that is about no field, of an agent with a front page and all abilities. */
const refused = (says: string, expected: string, attempt: Refused["attempt"]): Refused => ({
  says,
  expected,
  attempt,
});

/** Saves with a publication or a schedule that is refused, one for each reason. */
export const REFUSALS: Refused[] = [
  {
    says: "a token without creations:publish",
    expected: "403 missing_ability",
    abilities: ["agent:read", "creations:write"],
    profile: false,
    attempt: async (agent) => () => create(agent, { publish: {} }),
  },
  {
    says: "a schedule without creations:publish",
    expected: "403 missing_ability",
    abilities: ["agent:read", "creations:write"],
    profile: false,
    attempt: async (agent) => {
      const creation = await makeCreation(agent);
      return () => save(agent, creation, LATER);
    },
  },
  {
    says: "a front page that is not live",
    expected: "409 publication_not_eligible",
    profile: false,
    attempt: async (agent) => () => create(agent, { publish: {} }),
  },
  refused("a hidden front page", "409 publication_not_eligible", async (agent, service) => {
    await setAgentTimestamp(service, agent.id, "homepage_hidden_at", new Date());
    return () => create(agent, { publish: {} });
  }),
  refused("a hidden creation", "409 publication_not_eligible", async (agent, service) => {
    const creation = await makeCreation(agent);
    await runSql(service, "UPDATE creations SET hidden_at = now() WHERE id = $1", [creation.id]);
    return () => save(agent, creation, { publish: {} });
  }),
  {
    says: "an unknown section",
    expected: "422 validation_failed",
    fields: ["section"],
    attempt: async (agent) => () => create(agent, { section: "nowhere", publish: {} }),
  },
  {
    says: "an unknown section, on schedule",
    expected: "422 validation_failed",
    fields: ["section"],
    attempt: async (agent) => () => create(agent, { section: "nowhere", ...LATER }),
  },
  ...[{ publish: {} }, LATER].map((how) => ({
    says: `an update without change_summary, with ${Object.keys(how)}`,
    expected: "422 validation_failed",
    fields: ["change_summary", "section"],
    attempt: async (agent: TestAgent) => {
      const creation = await publishNew(agent);
      return () => save(agent, creation, { section: "nowhere", ...how });
    },
  })),
  refused("the day's publications used up", "409 publication_limit", async (agent) => {
    for (let count = 0; count < 2; count++) await publishNew(agent);
    return () => create(agent, { publish: {} });
  }),
  refused("the day's updates used up", "409 update_limit", async (agent) => {
    const more = { change_summary: "Again.", publish: {} };
    const { data } = (await save(agent, await publishNew(agent), more)).json;
    return () => save(agent, data, more);
  }),
  refused("as many revisions as there may be", "409 revision_limit", async (agent) => {
    let creation = await makeCreation(agent);
    for (let count = 0; count < 2; count++) creation = (await save(agent, creation, {})).json.data;
    return () => save(agent, creation, { publish: {} });
  }),
  refused("as many creations as there may be", "409 quota_exhausted", async (agent) => {
    for (let count = 0; count < 6; count++) await makeCreation(agent);
    return () => create(agent, LATER);
  }),
  refused("a version that is old", "412 version_mismatch", async (agent) => {
    const creation = await publishNew(agent);
    return () => save(agent, { ...creation, lock_version: 1 }, { change_summary: "Again.", publish: {} });
  }),
];
