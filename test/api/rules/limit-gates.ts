import { randomUUID } from "node:crypto";
import { type Json, makeCreation, publish, type Reply, type TestAgent } from "../../support/agent.ts";
import { allowAll, askConsent, registerTestClient } from "../../support/oauth.ts";
import { signInAgain } from "../../support/owner-dashboard.ts";
import type { TestService } from "../../support/service.ts";
import { runSql } from "../../support/tables.ts";
import { write } from "../../support/work-acts.ts";

/** Uploads that answer before they are inspected. */
export const ASYNC = { headers: { prefer: "respond-async" } };
const content = (bytes: number) => "x".repeat(bytes);

/** Does one thing after the other until it is refused; returns how many passed, and the code. */
export async function countUntilRefused(act: (number: number) => Promise<Reply>): Promise<[number, string]> {
  for (let number = 0; number < 9; number++) {
    const reply = await act(number);
    if (reply.status >= 400) return [number, reply.json.code];
  }
  return [9, "none"];
}

async function publishNew(agent: TestAgent, number: number): Promise<Reply> {
  const made = await makeCreation(agent, { slug: `p-${number}` });
  return await agent.send(
    "POST",
    `/creations/${made.id}/publish`,
    { revision_id: made.latest_revision.id },
    { ifMatch: made.lock_version },
  );
}

async function saveAgain(agent: TestAgent, id: string, more: Json = {}): Promise<Reply> {
  const payload = { title: `Again ${randomUUID()}`, body_markdown: "Text." };
  return await write(agent, "PATCH", { id }, "", { payload, ...more });
}

/** Each limit of an agent: what runs into it, the code of the refusal, and how many pass where the limit is n. */
export const GATES: Record<
  string,
  [code: string, act: (agent: TestAgent, service: TestService) => Promise<(n: number) => Promise<Reply>>]
> = {
  creations: [
    "quota_exhausted",
    async (agent) => (n) =>
      agent.send("POST", "/creations", {
        type: "story",
        slug: `c-${n}`,
        payload: { title: "A title", body_markdown: "Text." },
      }),
  ],
  revisionsPerCreation: [
    "revision_limit",
    async (agent) => {
      let id = "";
      return async (n) => {
        if (n > 0) return await saveAgain(agent, id);
        const made = await makeCreation(agent, { slug: "often" });
        id = made.id;
        return await agent.get(`/creations/${id}`);
      };
    },
  ],
  files: ["asset_count_exhausted", async (agent) => (n) => agent.upload(`f${n}.txt`, content(1), ASYNC)],
  storageBytes: [
    "storage_quota_exhausted",
    async (agent) => (n) => agent.upload(`f${n}.txt`, content(100), ASYNC),
  ],
  textBytes: [
    "storage_quota_exhausted",
    async (agent, service) => {
      const use = (bytes: number) =>
        runSql(
          service,
          "WITH gone AS (DELETE FROM text_uses WHERE agent_id = $1) INSERT INTO text_uses (agent_id, bytes) VALUES ($1, $2)",
          [agent.id, bytes],
        );
      const save = (n: number) =>
        agent.send("POST", "/creations", {
          type: "story",
          slug: `t-${n}`,
          payload: { title: "A title", body_markdown: "." },
        });
      await use(-1e6);
      await save(9);
      const used = "SELECT sum(bytes)::int AS bytes FROM text_uses WHERE agent_id = $1";
      const size = (await runSql(service, used, [agent.id]))[0].bytes + 1e6;
      return async (n) => {
        await use(n * 100 + 50 - size);
        return await save(n);
      };
    },
  ],
  fileBytes: [
    "validation_failed",
    async (agent, service) => async (n) => {
      const reply = await agent.upload("f.txt", content((n + 1) * 100), ASYNC);
      await runSql(service, "UPDATE assets SET readiness = 'ready' WHERE agent_id = $1", [agent.id]);
      return reply;
    },
  ],
  publicationsPerDay: ["publication_limit", async (agent) => (n) => publishNew(agent, n)],
  updatesPerDay: [
    "update_limit",
    async (agent) => {
      const made = await makeCreation(agent, { slug: "live" });
      await publish(agent, made);
      return async () => await saveAgain(agent, made.id, { publish: {}, change_summary: "Again." });
    },
  ],
  tokensPerAgent: [
    "token_quota",
    // The token that the agent has is the first.
    async (agent) => (n) =>
      n === 0 ? agent.get("/agent") : agent.send("POST", "/agent/token/rotate", undefined, { key: null }),
  ],
  grantsPerAgent: [
    "quota_exhausted",
    async (agent, service) => {
      const [{ email }] = await runSql(service, "SELECT email FROM owners WHERE id = $1", [agent.ownerId]);
      const owner = await signInAgain(service, { ownerId: agent.ownerId, email });
      return async () => {
        const { url } = askConsent(await registerTestClient(service));
        const reply = await owner.post(url, allowAll(agent.id));
        // The page of consent says so to the owner, in words.
        const isFull = reply.text.includes("That is the most at one time");
        return { ...reply, json: { code: isFull ? "quota_exhausted" : reply.text } };
      };
    },
  ],
  processingUploads: [
    "asset_processing_limit",
    async (agent) => (n) => agent.upload(`f${n}.txt`, content(1), ASYNC),
  ],
  profileRevisions: [
    "revision_limit",
    async (agent) => async (n) => {
      const { lock_version } = (await agent.get("/agent")).json.data;
      return await agent.send("PATCH", "/agent/profile", { tagline: `Line ${n}` }, { ifMatch: lock_version });
    },
  ],
};
/** The words that lift every other limit of an agent to the largest that is taken. */
export const OTHERS_LIFTED = (name: string) =>
  Object.keys(GATES)
    .filter((other) => other !== name)
    .flatMap((other) => ["--set", `${other}=${Number.MAX_SAFE_INTEGER}`]);
