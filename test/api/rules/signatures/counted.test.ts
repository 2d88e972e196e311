import { expect, test } from "vitest";
import { HOUR_MS } from "../../../../shared/ground/times.ts";
import { COMMAND_LINE } from "../../../../shared/identity/audit/record-act.ts";
import { sweepDueSchedules } from "../../../../shared/works/creations/schedules.ts";
import { removeContent } from "../../../../shared/works/creations/take-down.ts";
import { readExtra, verifyProof } from "../../../shared/text/transparency-log/oracle/verify-log.ts";
import { connectAuthor, type Json, makeCreation } from "../../../support/agent.ts";
import { makeLogKey, readJson, readRaw, readWholeLog, sequence } from "../../../support/log.ts";
import { openService } from "../../../support/service.ts";
import { runSql } from "../../../support/tables.ts";
import { revise, write } from "../../../support/work-acts.ts";
import { giveKey, holds, isSaidSigned, jcs, makeKey, makeSigned, setKeys, story } from "./signer.ts";

const service = await openService({ workers: false, config: { logKeys: [makeLogKey()] } });
const agent = await connectAuthor(service, { handle: "tidewatch" });
const key = await giveKey(agent);

test("a signed statement has the signature, an unsigned one is as it always was, byte for byte", async () => {
  const signed = await makeSigned(agent, key, story("Signed", { publish: {} }));
  const plain = await makeCreation(agent, story("Unsigned", { publish: {} }));
  await sequence(service);
  const { vkey, entries } = await readWholeLog(service);
  const statementOf = async ({ slug }: Json) => {
    const { text } = await readRaw(service, `/@tidewatch/${slug}/revisions/1.tlog-proof`);
    const { statement, entry } = readExtra(text) ?? {};
    const found = entries.find((one) => one.toString() === jcs(entry)) ?? Buffer.alloc(0);
    expect(verifyProof(text, vkey, found)).toBe(entries.length);
    expect(entry).toMatchObject({ v: 1 });
    return statement as Json;
  };
  const { signature } = signed.latest_revision;
  expect(await statementOf(signed)).toMatchObject({ v: 2, signature, type: "published" });
  const { latest_revision: revision, first_published_at: at } = plain;
  const kept = await runSql(service, "SELECT statement FROM log_records WHERE revision_id = $1", [
    revision.id,
  ]);
  expect(kept[0].statement).toBe(
    `{"agent":"${agent.id}","checksum":"${revision.checksum}","creation":"${plain.id}","disclosure_sha256":null,"minor":false,"published_at":"${at}","revision_id":"${revision.id}","revision_number":1,"site":"http://localhost:3000","type":"published","v":1,"visibility":"public"}`,
  );
  expect(Object.keys(await statementOf(plain))).not.toContain("signature");
});

test("a restore keeps the signature, a removal of content deletes it, and both pages say so", async () => {
  const work = await makeSigned(agent, key, story("Restored", { publish: {} }));
  const { signature, id } = work.latest_revision;
  const newer = { changes: { set: { summary: "Newer." } }, change_summary: "Newer.", publish: {} };
  await revise(agent, work, newer);
  const url = `/@tidewatch/${work.slug}`;
  expect((await readJson(service, `${url}.json`)).signature).toBeNull();
  expect(await isSaidSigned(service, url)).toBe(false);
  const restored = await write(agent, "POST", work, "/restore", { revision_id: id });
  expect(restored.json.data.latest_revision.signature).toEqual(signature);
  const shown = await readJson(service, `${url}.json`);
  expect([shown.signature, await holds(service, agent, shown)]).toEqual([signature, true]);
  expect(await isSaidSigned(service, url)).toBe(true);
  await removeContent(service.deps, COMMAND_LINE, id, "owner");
  expect((await readJson(service, `${url}/revisions/1.json`)).signature).toBeNull();
  expect(await isSaidSigned(service, `${url}/revisions/1`)).toBe(false);
  const rows = await runSql(service, "SELECT FROM creation_revisions WHERE id = $1 AND signature IS NULL", [
    id,
  ]);
  expect(rows).toHaveLength(1);
});

test("a signature counts where its entry stands before the one that ended its key", async () => {
  const by = await connectAuthor(service);
  const old = await giveKey(by);
  const before = await makeSigned(by, old, story("Before", { publish: {} }));
  const late = await makeSigned(by, old, story("Late"));
  const onTime = await makeSigned(by, old, story("On time"));
  const scheduled = await write(by, "POST", onTime, "/publish", {});
  expect(scheduled.status).toBe(200);
  await setKeys(by, makeKey());
  expect((await write(by, "POST", late, "/publish", {})).status).toBe(200);
  await sequence(service);
  const said = ({ slug }: Json) => isSaidSigned(service, `/@${by.handle}/${slug}`);
  expect([await said(before), await said(onTime), await said(late)]).toEqual([true, true, false]);
  // Everybody still reads the signature.
  expect((await readJson(service, `/@${by.handle}/${late.slug}.json`)).signature.kid).toBe(old.kid);
  const first = { revision_id: before.latest_revision.id };
  const newer = { changes: { set: { summary: "Newer." } }, change_summary: "Newer.", publish: {} };
  await revise(by, before, newer);
  await write(by, "POST", before, "/restore", first);
  await sequence(service);
  expect(await said(before)).toBe(false);
});

test("a schedule publishes a signed draft with its signature", async () => {
  const work = await makeSigned(agent, key, story("Scheduled"));
  const publish_at = new Date(service.clock.nowMs + HOUR_MS).toISOString();
  const body = { revision_id: work.latest_revision.id, publish_at };
  expect((await write(agent, "POST", work, "/schedule", body)).status).toBe(200);
  service.clock.nowMs += HOUR_MS + 1_000;
  expect(await sweepDueSchedules(service.deps)).toBe(1);
  const shown = await readJson(service, `/@tidewatch/${work.slug}.json`);
  expect([shown.signature.kid, await holds(service, agent, shown)]).toEqual([key.kid, true]);
});

test("without a log the time of the save says whether a signature counts", async () => {
  const bare = await openService({ workers: false });
  const by = await connectAuthor(bare);
  const old = await giveKey(by);
  const work = await makeSigned(by, old, story("Before", { publish: {} }));
  bare.clock.nowMs += 60_000;
  await setKeys(by);
  const url = `/@${by.handle}/${work.slug}`;
  expect(await isSaidSigned(bare, url)).toBe(true);
  const newer = { changes: { set: { summary: "Newer." } }, change_summary: "Newer.", publish: {} };
  await revise(by, work, newer);
  bare.clock.nowMs += 60_000;
  await write(by, "POST", work, "/restore", { revision_id: work.latest_revision.id });
  expect((await readJson(bare, `${url}.json`)).signature.kid).toBe(old.kid);
  expect(await isSaidSigned(bare, url)).toBe(false);
});
