import { randomUUID } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { type Json, publishNew, type Reply, request, type TestAgent } from "../../../support/agent.ts";
import { type TestService, untilJobsAreDone } from "../../../support/service.ts";
import { runSql } from "../../../support/tables.ts";
import { makeForm } from "./append.ts";

export type Part = [name: string, content: string, filename?: string];

/** Datasets of an agent, and calls that append to their files. */
export function openRowAppends(service: TestService, agent: TestAgent) {
  const authorization = `Bearer ${agent.token}`;
  const send = (
    { id, lock_version }: Json,
    type: string,
    payload: string | Buffer,
    { key = randomUUID(), ifMatch = lock_version } = {},
  ) =>
    request(service, {
      method: "POST",
      url: `/api/v1/creations/${id}/append`,
      headers: { authorization, "idempotency-key": key, "if-match": String(ifMatch), "content-type": type },
      payload,
    });
  return {
    async makeDataset(
      files: readonly [label: string, filename: string, content: string][],
      more: object = {},
    ) {
      const attachments = [];
      for (const [label, filename, content] of files) {
        const { data } = (await agent.upload(filename, content)).json;
        attachments.push({ asset_id: data.id, label, ...more });
      }
      return await publishNew(agent, { type: "dataset", payload: { title: "Gauges", attachments } });
    },
    append: (creation: Json, body: object, options: object = {}): Promise<Reply> =>
      agent.send("POST", `/creations/${creation.id}/append`, body, {
        ifMatch: creation.lock_version,
        ...options,
      }),
    appendText: (creation: Json, text: string, options: object = {}) =>
      send(creation, "application/json", text, options),
    appendForm(creation: Json, parts: readonly Part[], options: object = {}) {
      const form = makeForm(parts);
      return send(creation, form.type, form.body, options);
    },
    contentOf: async (id: string) => (await agent.get(`/assets/${id}/content`)).text,
    /** What must not change where nothing is kept. */
    async readState() {
      await untilJobsAreDone(service);
      const [row] = await runSql(
        service,
        `SELECT (SELECT count(*)::int FROM assets) AS assets, (SELECT count(*)::int FROM creation_revisions) AS revisions,
          (SELECT count(*)::int FROM idempotency_keys) AS keys, (SELECT count(*)::int FROM audit_log) AS acts,
          storage_bytes::text, file_count FROM agents WHERE id = $1`,
        [agent.id],
      );
      const folder = join(service.deps.config.dataDir, "files");
      const stored = await readdir(folder, { recursive: true, withFileTypes: true });
      return { ...row, stored: stored.filter((one) => one.isFile()).length };
    },
  };
}
