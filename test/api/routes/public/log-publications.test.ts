import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import { beforeAll, describe, expect, test } from "vitest";
import { eraseCreation } from "../../../../shared/care/erasure/erase-creation.ts";
import { COMMAND_LINE } from "../../../../shared/identity/audit/record-act.ts";
import { removeContent, runCreationCommand } from "../../../../shared/works/creations/take-down.ts";
import { readExtra, verifyProof } from "../../../shared/text/transparency-log/oracle/verify-log.ts";
import { connectAuthor, type Json, makeCreation, publish, request } from "../../../support/agent.ts";
import { makeLogKey, readJson, readRaw, readWholeLog, sequence } from "../../../support/log.ts";
import { openService } from "../../../support/service.ts";
import { runSql } from "../../../support/tables.ts";
import { look, revise } from "../../../support/work-acts.ts";

const service = await openService({ workers: false, config: { logKeys: [makeLogKey()] } });
const agent = await connectAuthor(service, { handle: "tidewatch" });

const sha256 = (...parts: (string | Buffer)[]) =>
  parts.reduce((sum, part) => sum.update(part), createHash("sha256")).digest("hex");
const jcs = (value: unknown) => canonicalize(value) ?? "";
const proofOf = async (creation: Json, number: number) =>
  await readRaw(service, `/@tidewatch/${creation.slug}/revisions/${number}.tlog-proof`);

async function makeWork(title: string, more: object = {}): Promise<Json> {
  const payload = { title, body_markdown: `${title} rose 1.2 m.` };
  return await makeCreation(agent, { type: "story", payload, ...more });
}

async function update(creation: Json, more: object = {}): Promise<Json> {
  const { lock_version } = await look(agent, creation);
  const changes = { set: { summary: `After ${lock_version}` } };
  return await revise(agent, creation, { changes, change_summary: "A summary.", ...more });
}

describe("a publication", () => {
  let work: Json;
  beforeAll(async () => {
    work = await publish(
      agent,
      await makeWork("Early surge", { disclosure: { origin: "assisted", note: "Checked." } }),
    );
  });

  test("is in the log with the next run of its worker, and in every answer about the work", async () => {
    expect(work.latest_revision.log).toBeNull();
    const url = `/@tidewatch/${work.slug}`;
    const before = await readJson(service, `${url}.json`);
    expect([before.log, before.changes[0].log]).toEqual([null, null]);
    expect((await request(service, { method: "GET", url })).text).not.toContain("On record");
    expect((await proofOf(work, 1)).status).toBe(404);
    expect(await sequence(service)).toBe(1);
    const log = { index: 0, proof_url: `http://localhost:3000${url}/revisions/1.tlog-proof`, witnesses: 0 };
    const after = await readJson(service, `${url}.json`);
    expect([after.log, after.changes[0].log]).toEqual([log, log]);
    const revision = await readJson(service, `${url}/revisions/1.json`);
    expect([revision.log, revision.revision.log]).toEqual([log, log]);
    const list = (await request(service, { method: "GET", url: `${url}/revisions.json` })).json.data;
    expect(list[0].log).toEqual(log);
    const own = (await agent.get(`/creations/${work.id}/revisions/1`)).json.data;
    expect(own.log).toEqual(log);
    for (const page of [url, `${url}/revisions/1`]) {
      const { text } = await request(service, { method: "GET", url: page });
      expect(text).toContain(`<a href="${url}/revisions/1.tlog-proof">On record</a>`);
    }
  });

  test("is proven offline, down to the statement that the entry commits to", async () => {
    const { vkey } = await readWholeLog(service);
    const proof = await proofOf(work, 1);
    expect([proof.status, proof.headers["content-type"]]).toEqual([200, "text/plain; charset=utf-8"]);
    const extra = readExtra(proof.text);
    const entry = jcs(extra?.entry);
    expect(verifyProof(proof.text, vkey, Buffer.from(entry))).toBe(1);
    const statement = jcs(extra?.statement);
    const nonce = Buffer.from(extra?.nonce ?? "", "base64");
    expect(nonce.length).toBe(32);
    const shown = await readJson(service, `/@tidewatch/${work.slug}.json`);
    expect(extra?.entry).toEqual({
      agent: agent.id,
      at: shown.first_published_at,
      commitment: sha256(nonce, statement),
      creation: work.id,
      revision: 1,
      type: "published",
      v: 1,
    });
    const { origin, models, tools, prompt_sha256, human_review, note } = shown.disclosure;
    expect(extra?.statement).toEqual({
      agent: agent.id,
      checksum: shown.checksum,
      creation: work.id,
      disclosure_sha256: sha256(jcs({ origin, models, tools, prompt_sha256, human_review, note })),
      minor: false,
      published_at: shown.first_published_at,
      revision_id: work.latest_revision.id,
      revision_number: 1,
      site: "http://localhost:3000",
      type: "published",
      v: 1,
      visibility: "public",
    });
  });

  test("of an unlisted work names nobody in its entry, and hashes no disclosure that was not made", async () => {
    const hidden = await publish(agent, await makeWork("Quiet surge"), { visibility: "unlisted" });
    await sequence(service);
    const { told } = await readWholeLog(service);
    expect(told.at(-1)).toMatchObject({ agent: null, creation: null, revision: null, type: "published" });
    const { statement } = readExtra((await proofOf(hidden, 1)).text) ?? {};
    expect(statement).toMatchObject({
      creation: hidden.id,
      visibility: "unlisted",
      disclosure_sha256: null,
    });
    await eraseCreation(service.deps, COMMAND_LINE, hidden.id);
    await sequence(service);
    const { told: later } = await readWholeLog(service);
    expect(later.at(-1)).toMatchObject({
      ...{ agent: null, creation: null, revision: null },
      ...{ type: "content_removed", by: "moderator", of: told.length - 1 },
    });
  });

  test("by a save, by a restore and again after an unpublication is each an entry of its own", async () => {
    const size = (await readWholeLog(service)).size;
    const other = await publish(agent, await makeWork("Third surge"));
    const saved = await update(other, { minor: true });
    const body = { revision_id: other.latest_revision.id };
    const restored = await agent.send("POST", `/creations/${other.id}/restore`, body, {
      ifMatch: saved.lock_version,
    });
    expect(restored.status).toBe(200);
    await runCreationCommand(service.deps, COMMAND_LINE, other.id, "unpublish");
    await update(other);
    expect(await sequence(service)).toBe(4);
    const { told } = await readWholeLog(service);
    expect(told.slice(size).map(({ type, revision, creation }: Json) => [type, revision, creation])).toEqual([
      ["published", 1, other.id],
      ["published", 2, other.id],
      ["published", 3, other.id],
      ["published", 4, other.id],
    ]);
    const shown = await readJson(service, `/@tidewatch/${other.slug}.json`);
    expect(shown.changes.map(({ log }: Json) => log.index)).toEqual([size + 3, size + 2, size + 1, size]);
  });

  test("that is taken back and reinstated is told by entries that name its own", async () => {
    const marked = await publish(agent, await makeWork("Wrong surge"));
    const path = `/creations/${marked.id}`;
    const reason = "The gauge was read in feet, which nobody may guess here.";
    const retracted = await agent.send(
      "POST",
      `${path}/retract`,
      { reason },
      { ifMatch: marked.lock_version },
    );
    const version = retracted.json.data.lock_version;
    await agent.send("POST", `${path}/reinstate`, { reason: "It was metres." }, { ifMatch: version });
    await sequence(service);
    const { told, entries, size } = await readWholeLog(service);
    const names = { agent: agent.id, creation: marked.id, revision: 1, v: 1 };
    expect(told.slice(-2)).toEqual([
      { ...names, at: expect.any(String), of: size - 3, type: "retracted" },
      { ...names, at: expect.any(String), of: size - 3, type: "reinstated" },
    ]);
    expect(Buffer.concat(entries).toString()).not.toMatch(/feet|metres|surge|tidewatch/);
  });

  test("whose content is removed stays proven, and the proof tells nothing of what it was", async () => {
    const text = await publish(agent, await makeWork("Removed surge"));
    await sequence(service);
    const kept = (await proofOf(text, 1)).text;
    await update(text);
    await removeContent(service.deps, COMMAND_LINE, text.latest_revision.id, "owner");
    const told = (await proofOf(text, 1)).text;
    expect(readExtra(told)).toBeNull();
    await sequence(service);
    const log = await readWholeLog(service);
    const index = Number(/^index (\d+)$/m.exec(kept)?.[1]);
    const entry = log.entries[index] ?? Buffer.alloc(0);
    // Who saved proof and page before still proves what they have.
    expect(jcs(readExtra(kept)?.entry)).toBe(entry.toString());
    expect(verifyProof(kept, log.vkey, entry)).toBeLessThan(log.size);
    expect(verifyProof((await proofOf(text, 1)).text, log.vkey, entry)).toBe(log.size);
    expect(log.told.at(-1)).toMatchObject({
      ...{ agent: agent.id, creation: text.id, revision: 1 },
      ...{ type: "content_removed", by: "owner", of: index },
    });
    const rows = await runSql(service, "SELECT nonce, statement FROM log_records WHERE revision_id = $1", [
      text.latest_revision.id,
    ]);
    expect(rows).toEqual([{ nonce: null, statement: null }]);
  });
});
