import { randomUUID } from "node:crypto";
import { inject } from "vitest";
import { withClient } from "../../../../cli/embedded/database.ts";
import { connectAgent, connectAuthor, makeCreation, request } from "../../../support/agent.ts";
import { runBeside } from "../../../support/run-here.ts";
import { openService } from "../../../support/service.ts";
import { runSql } from "../../../support/tables.ts";
import { act, type ErrorCase, met, told } from "./cases.ts";

const STORY = { type: "story", payload: { title: "t", body_markdown: "b" } };

/** Codes of the request itself: how it is written, its key, its version. */
export const REQUEST_CASES: ErrorCase[] = [
  {
    code: "http_error",
    when: "the body is no JSON",
    status: 400,
    async run(service) {
      const { token } = await connectAgent(service);
      const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
      return told(
        await request(service, { method: "POST", url: "/api/v1/creations", headers, payload: '{"type":' }),
      );
    },
  },
  {
    code: "http_error",
    when: "the address takes another method",
    status: 405,
    run: async (service) => told(await request(service, { method: "PUT", url: "/api/v1/agent" })),
  },
  {
    code: "http_error",
    when: "the body is larger than 2 MiB",
    status: 413,
    async run(service) {
      const agent = await connectAgent(service);
      return told(await agent.send("POST", "/creations", { type: "x".repeat(2 * 1024 * 1024) }));
    },
  },
  {
    code: "http_error",
    when: "the body is a form where JSON is read",
    status: 415,
    async run(service) {
      const agent = await connectAgent(service);
      const headers = {
        "content-type": "application/x-www-form-urlencoded",
        authorization: `Bearer ${agent.token}`,
      };
      return told(
        await request(service, { method: "POST", url: "/api/v1/creations", headers, payload: "a=b" }),
      );
    },
  },
  {
    code: "http_error",
    when: "the database is away for a moment",
    status: 503,
    retryAfter: true,
    async run() {
      const passing = await openService({ workers: false });
      const name = new URL(passing.databaseUrl).pathname.slice(1);
      const agent = await connectAgent(passing);
      const { adminUrl } = inject("cluster");
      const admin = async (text: string) =>
        await withClient(adminUrl, async (client) => await client.query(text));
      await admin(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
      await admin(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`);
      const reply = await agent.send("POST", "/creations", STORY);
      await admin(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
      return told(reply);
    },
  },
  met("server_error", "a row cannot be what it is", async (service) => {
    const agent = await connectAgent(service);
    const creation = await makeCreation(agent);
    const text = `UPDATE creation_revisions SET payload = '"no object"' WHERE creation_id = $1`;
    await runSql(service, text, [creation.id]);
    return told(await agent.get(`/creations/${creation.id}`));
  }),
  met("not_found", "nobody has such a creation", async (service) =>
    told(await (await connectAgent(service)).get("/creations/01ARZ3NDEKTSV4RRFFQ69G5FAV")),
  ),
  met("not_found", "there is no such address", async (service) =>
    told(await request(service, { method: "GET", url: "/api/v1/nothing" })),
  ),
  {
    code: "validation_failed",
    when: "two fields are wrong",
    fields: ["payload.title", "payload.body_markdown"],
    run: async (service) =>
      told(await (await connectAgent(service)).send("POST", "/creations", { type: "story", payload: {} })),
  },
  {
    code: "rate_limited",
    when: "a heartbeat follows another within a minute",
    retryAfter: true,
    async run(service) {
      const agent = await connectAgent(service);
      await agent.send("POST", "/agent/heartbeat", undefined);
      return told(await agent.send("POST", "/agent/heartbeat", undefined));
    },
  },
  {
    code: "idempotency_key_required",
    when: "a creation is sent without a key",
    fields: ["idempotency_key"],
    run: async (service) =>
      told(await (await connectAgent(service)).send("POST", "/creations", STORY, { key: null })),
  },
  met("idempotency_mismatch", "a key comes back with another body", async (service) => {
    const agent = await connectAgent(service);
    const key = randomUUID();
    await agent.send("POST", "/creations", STORY, { key });
    return told(await agent.send("POST", "/creations", { ...STORY, minor: true }, { key }));
  }),
  {
    code: "idempotency_in_progress",
    when: "the first request with the key still works",
    retryAfter: true,
    async run(service) {
      const agent = await connectAgent(service);
      const key = randomUUID();
      return await withClient(service.databaseUrl, async (client) => {
        await client.query("BEGIN");
        await client.query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [`${agent.id}:${key}`]);
        const reply = await agent.send("POST", "/creations", STORY, { key });
        await client.query("ROLLBACK");
        return told(reply);
      });
    },
  },
  met("network_blocked", "the request comes from a blocked network", async (service) => {
    const words = ["--network", "203.0.113.0/24"];
    await runBeside(service, ["site", "block", ...words]);
    await service.blockedNetworks.refresh(service.deps);
    const reply = await request(service, { url: "/api/v1/topics", remoteAddress: "203.0.113.7" });
    await runBeside(service, ["site", "unblock", ...words]);
    await service.blockedNetworks.refresh(service.deps);
    return told(reply);
  }),
  met("precondition_required", "If-Match is missing", async (service) => {
    const agent = await connectAuthor(service);
    const creation = await makeCreation(agent);
    return told(await act(agent, { ...creation, lock_version: null }, "unpublish"));
  }),
  met("version_mismatch", "If-Match is stale", async (service) => {
    const agent = await connectAuthor(service);
    return told(await act(agent, { ...(await makeCreation(agent)), lock_version: 7 }, "unpublish"));
  }),
];
