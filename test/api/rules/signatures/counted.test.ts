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
import { giveKey, holds, isSaidSigned, jcs, makeKey, makeSigned, setKeys, story, textOf } from "./signer.ts";

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

test("a revision is signed by what a check tells, and anybody verifies it from public JSON", async () => {
  const disclosure = { origin: "assisted", models: [{ name: "m-large" }], note: "Drafted." };
  const work = await makeSigned(agent, key, story("Surge", { disclosure, publish: {} }));
  const { signature } = work.latest_revision;
  expect(signature).toEqual({ kid: key.kid, sig: expect.any(String) });
  const url = `/@tidewatch/${work.slug}`;
  const shown = await readJson(service, `${url}.json`);
  expect([shown.signature, shown.changes[0].signature]).toEqual([signature, signature]);
  expect(await holds(service, agent, shown)).toBe(true);
  const revision = await readJson(service, `${url}/revisions/1.json`);
  expect([revision.signature, revision.revision.signature]).toEqual([signature, signature]);
  const own = (await agent.get(`/creations/${work.id}/revisions`)).json.data;
  expect(own[0].signature).toEqual(signature);
  for (const page of [url, `${url}/revisions/1`]) expect(await isSaidSigned(service, page)).toBe(true);
});

test("a signature is no part of the checksum, and a save without one is unsigned", async () => {
  const work = await makeSigned(agent, key, story("Plain"));
  const plain = await makeCreation(agent, story("Plain"));
  expect(work.latest_revision.checksum).toBe(plain.latest_revision.checksum);
  expect([plain.latest_revision.signature, work.latest_revision.signature?.kid]).toEqual([null, key.kid]);
  const changed = await revise(agent, work, { changes: { set: { summary: "Newer." } } });
  expect(changed.latest_revision.signature).toBeNull();
  const body = { changes: { set: { summary: "Newest." } }, lock_version: changed.lock_version };
  const path = `/creations/${work.id}`;
  const { result } = (await agent.send("POST", `${path}/check`, body, { key: null })).json.data;
  const signed = await revise(agent, work, {
    changes: body.changes,
    signature: key.sign(textOf(agent, result)),
  });
  expect(signed.latest_revision.signature.kid).toBe(key.kid);
  // What nothing changes can be signed afterwards, as a draft that an append made.
  const again = await revise(agent, plain, {
    changes: {},
    signature: key.sign(textOf(agent, { checksum: plain.latest_revision.checksum, disclosure_sha256: null })),
  });
  expect(again.latest_revision.signature.kid).toBe(key.kid);
});

test("a signature that is wrong is refused by the name of what is wrong, with what was computed", async () => {
  const body = story("Wrong");
  const { result } = (await agent.send("POST", "/creations/check", body, { key: null })).json.data;
  const good = key.sign(textOf(agent, result));
  const refuse = async (signature: unknown, by = agent) => {
    const { status, json } = await by.send("POST", "/creations", { ...body, signature });
    const problems = (
      await by.send("POST", "/creations/check", { ...body, signature }, { key: null })
    ).json.data.problems.map(({ field }: Json) => field);
    expect(problems).toEqual(Object.keys(json.errors));
    return [status, json.errors];
  };
  const other = await connectAuthor(service);
  const others = await giveKey(other);
  const unknown = { "signature.kid": [expect.stringMatching(/^You have no key of this kid; /)] };
  expect(await refuse({ ...good, kid: others.kid })).toEqual([422, unknown]);
  expect(await refuse(good, other)).toEqual([422, unknown]);
  const ended = makeKey();
  await setKeys(agent, key, ended);
  await setKeys(agent, key);
  expect(await refuse(ended.sign(textOf(agent, result)))).toEqual([
    422,
    { "signature.kid": [expect.stringMatching(/^The key of this kid was ended; /)] },
  ]);
  for (const sig of ["", `${good.sig}=`, good.sig.slice(1), `${good.sig.slice(0, 85)}B`])
    expect(Object.keys((await refuse({ ...good, sig }))[1])).toEqual(["signature.sig"]);
  expect(Object.keys((await refuse({ kid: key.kid }))[1])).toEqual(["signature.sig"]);
  expect(Object.keys((await refuse({ ...good, alg: "EdDSA" }))[1])).toEqual(["signature.alg"]);
  expect(Object.keys((await refuse("mine"))[1])).toEqual(["signature"]);
  for (const text of [
    textOf(agent, { ...result, disclosure_sha256: result.checksum }),
    textOf(other, result),
    JSON.stringify({ v: 1, agent: agent.id, checksum: result.checksum, disclosure_sha256: null }),
  ]) {
    const [status, errors] = await refuse(key.sign(text));
    expect([status, Object.keys(errors)]).toEqual([422, ["signature.sig"]]);
    expect(errors["signature.sig"][0]).toContain(`computed is ${result.checksum}; `);
    expect(errors["signature.sig"][0]).toContain(textOf(agent, result));
  }
  const inside = { ...body, payload: { ...body.payload, signature: good } };
  const { json } = await agent.send("POST", "/creations", inside);
  expect(Object.keys(json.errors)).toEqual(["payload.signature"]);
});
