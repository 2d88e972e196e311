import { createHash, generateKeyPairSync } from "node:crypto";
import canonicalize from "canonicalize";
import { expect, test } from "vitest";
import { JsonWebKeySet } from "../../../../api/openapi/schemas.ts";
import { eraseAgent } from "../../../../shared/care/erasure/erase-agent.ts";
import { COMMAND_LINE } from "../../../../shared/identity/audit/record-act.ts";
import { listWaiting } from "../../../../sql/trust/log-outbox.ts";
import { readExtra, verifyProof } from "../../../shared/text/transparency-log/oracle/verify-log.ts";
import { connectAuthor, type Json, request, type TestAgent } from "../../../support/agent.ts";
import { makeLogKey, readJson, readRaw, readWholeLog, sequence } from "../../../support/log.ts";
import { captureLog } from "../../../support/log-lines.ts";
import { mailsTo } from "../../../support/mail-folder.ts";
import { openDashboard } from "../../../support/owner-dashboard.ts";
import { openService } from "../../../support/service.ts";
import { dumpTables, runSql } from "../../../support/tables.ts";

const captured = captureLog();
const service = await openService({
  ...{ workers: false, log: captured.log },
  config: { logKeys: [makeLogKey()] },
});
const owner = await openDashboard(service, "Nora");
const agent = await connectAuthor(service, { ownerId: owner.ownerId, handle: "tidewatch" });

/** The halves of a new key. */
function makeKey(): { jwk: Json; d: string } {
  const { d, ...jwk } = generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" });
  return { jwk, d: d ?? "" };
}

/** RFC 7638, 3.1. */
const kidOf = ({ x }: Json) =>
  createHash("sha256").update(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`).digest("base64url");

const put = (by: TestAgent, keys: unknown, more: object = {}) =>
  by.send("PUT", "/agent/keys", { keys, ...more });
const refusalOf = async (by: TestAgent, keys: unknown, more: object = {}) => {
  const { status, json } = await put(by, keys, more);
  return [status, ...Object.keys(json.errors ?? {})];
};

test("a list is set whole: keys are added, kept and ended, and everybody reads them", async () => {
  const [one, two, three] = [makeKey(), makeKey(), makeKey()];
  const first = await put(agent, [one.jwk]);
  expect(first.status).toBe(200);
  const at = first.json.data.keys[0].created_at;
  const kept = { kid: kidOf(one.jwk), ...one.jwk, created_at: at, ended_at: null };
  expect(first.json.data).toEqual({ keys: [kept] });
  const before = (await readRaw(service, "/@tidewatch/profile.json")).headers.etag;
  service.clock.nowMs += 60_000;
  await put(agent, [two.jwk, { ...one.jwk, kid: kidOf(one.jwk) }]);
  service.clock.nowMs += 60_000;
  await put(agent, [three.jwk]);
  const { keys } = (await agent.get("/agent/keys")).json.data;
  const states = keys.map(({ kid, ended_at }: Json) => [kid, ended_at !== null]);
  expect(Object.fromEntries(states)).toEqual({
    ...{ [kidOf(one.jwk)]: true, [kidOf(two.jwk)]: true },
    [kidOf(three.jwk)]: false,
  });
  const profile = await readRaw(service, "/@tidewatch/profile.json");
  expect(profile.headers.etag).not.toBe(before);
  const shown = JSON.parse(profile.text).data;
  expect([shown.keys, shown.keys_url]).toEqual([keys, "http://localhost:3000/@tidewatch/profile/keys.json"]);
  const set = await readRaw(service, "/@tidewatch/profile/keys.json");
  expect(set.headers["content-type"]).toBe("application/jwk-set+json");
  expect(JsonWebKeySet.parse(JSON.parse(set.text))).toEqual({ keys });
});

test("a change is audited, mailed to the owner, and nothing where nothing changes", async () => {
  const by = await connectAuthor(service, { ownerId: owner.ownerId });
  const { jwk } = makeKey();
  const told = async () => (await mailsTo(service, owner.email)).filter((mail) => mail.includes(by.handle));
  await put(by, [jwk]);
  await put(by, [jwk]);
  await put(by, []);
  const mails = await told();
  expect(mails).toHaveLength(2);
  expect(mails[0]).toContain(`It signs with a new key, ${kidOf(jwk)}.`);
  expect(mails[1]).toContain(`It signs no more with the key ${kidOf(jwk)}.`);
  expect(mails[1]).toContain(`http://localhost:3000/console/agents/${by.id}`);
  const acts = await runSql(
    service,
    "SELECT detail FROM audit_log WHERE action = 'agent.set_keys' AND agent_id = $1 ORDER BY id",
    [by.id],
  );
  expect(acts.map(({ detail }) => detail)).toEqual([
    { added: 1, ended: 0 },
    { added: 0, ended: 0 },
    { added: 0, ended: 1 },
  ]);
  expect(await runSql(service, "SELECT FROM log_outbox WHERE agent_id = $1", [by.id])).toHaveLength(2);
});

test("what is no such list is refused under the name of what is wrong", async () => {
  const by = await connectAuthor(service);
  const { jwk } = makeKey();
  const keys = [makeKey().jwk, makeKey().jwk];
  expect(await refusalOf(by, [...keys, jwk])).toEqual([422, "keys"]);
  expect(await refusalOf(by, undefined)).toEqual([422, "keys"]);
  expect(await refusalOf(by, jwk)).toEqual([422, "keys"]);
  expect(await refusalOf(by, [jwk, jwk])).toEqual([422, "keys.1"]);
  expect(await refusalOf(by, [jwk, { ...keys[0], kid: kidOf(jwk) }])).toEqual([422, "keys.1.kid"]);
  expect(await refusalOf(by, [{ ...jwk, kty: "RSA" }])).toEqual([422, "keys.0.kty"]);
  expect(await refusalOf(by, [{ ...jwk, crv: "X25519" }])).toEqual([422, "keys.0.crv"]);
  for (const x of [
    "",
    jwk.x.slice(1),
    `${jwk.x}=`,
    `${jwk.x}AA`,
    `${jwk.x.slice(0, 42)}B`,
    `+${jwk.x.slice(1)}`,
    7,
  ])
    expect([x, await refusalOf(by, [{ ...jwk, x }])]).toEqual([x, [422, "keys.0.x"]]);
  expect(await refusalOf(by, [{ ...jwk, use: "sig" }])).toEqual([422, "keys.0.use"]);
  expect(await refusalOf(by, [jwk], { more: 1 })).toEqual([422, "more"]);
  expect((await by.get("/agent/keys")).json.data.keys).toEqual([]);
  await put(by, [jwk]);
  await put(by, []);
  const again = await put(by, [jwk]);
  expect([again.status, again.json.errors]).toEqual([
    422,
    { "keys.0": [`The key ${kidOf(jwk)} was ended, which is for good; make another one.`] },
  ]);
});

test("a private half is refused wherever it stands, and neither kept nor logged", async () => {
  const by = await connectAuthor(service);
  const { jwk, d } = makeKey();
  const other = makeKey();
  expect(await refusalOf(by, [other.jwk, { ...jwk, d }])).toEqual([422, "keys.1.d"]);
  expect(await refusalOf(by, [{ ...jwk, d: null }])).toEqual([422, "keys.0.d"]);
  expect(await refusalOf(by, [], { d })).toEqual([422, "d"]);
  const reply = await put(by, [{ ...jwk, d }]);
  expect(reply.text).not.toContain(d);
  expect(await dumpTables(service)).not.toContain(d);
  expect(captured.text()).toContain(`"route":"/api/v1/agent/keys","status":422`);
  expect(captured.text()).not.toContain(d);
});

test("an agent has 50 keys in all", async () => {
  const by = await connectAuthor(service);
  for (let n = 0; n < 25; n++) expect((await put(by, [makeKey().jwk, makeKey().jwk])).status).toBe(200);
  const { status, json } = await put(by, [makeKey().jwk]);
  expect([status, Object.keys(json.errors)]).toEqual([422, ["keys"]]);
  expect((await put(by, [])).json.data.keys).toHaveLength(50);
  await sequence(service);
  const { text } = await readRaw(service, `/@${by.handle}/profile/keys.tlog-proof`);
  const { statement } = readExtra(text) ?? {};
  expect((statement as Json).keys).toHaveLength(50);
});

test("each change is an entry that a proof leads to, down to its statement", async () => {
  const by = await connectAuthor(service);
  const path = `/@${by.handle}/profile/keys.tlog-proof`;
  const [one, two] = [makeKey(), makeKey()];
  await sequence(service);
  const { size } = await readWholeLog(service);
  expect((await readRaw(service, path)).status).toBe(404);
  await put(by, [one.jwk]);
  await put(by, [two.jwk]);
  expect(await sequence(service)).toBe(2);
  const { vkey, entries, told } = await readWholeLog(service);
  const proof = await readRaw(service, path);
  expect([proof.status, proof.headers["content-type"]]).toEqual([200, "text/plain; charset=utf-8"]);
  const entry = entries[size + 1] ?? Buffer.alloc(0);
  expect(verifyProof(proof.text, vkey, entry)).toBe(size + 2);
  const extra = readExtra(proof.text);
  const statement = canonicalize(extra?.statement) ?? "";
  const nonce = Buffer.from(extra?.nonce ?? "", "base64");
  const commitment = createHash("sha256").update(nonce).update(statement).digest("hex");
  const keys = (await readJson(service, `/@${by.handle}/profile.json`)).keys;
  const at = keys.find(({ kid }: Json) => kid === kidOf(two.jwk)).created_at;
  expect(told[size + 1]).toEqual({ agent: by.id, at, commitment, type: "keys", v: 1 });
  expect(extra?.entry).toEqual(told[size + 1]);
  expect(extra?.statement).toEqual({
    ...{ agent: by.id, at, site: "http://localhost:3000", type: "keys", v: 1 },
    keys: keys.map(({ kid, x, ended_at }: Json) => ({ kid, x, ended_at })),
  });
  expect(told[size].commitment).not.toBe(commitment);
});

test("the outbox hands out a change beside what was done to works", async () => {
  const by = await connectAuthor(service);
  await sequence(service);
  await put(by, [makeKey().jwk]);
  const rows = await service.deps.pool.transaction((tx) => listWaiting(tx, 10));
  expect(rows.map(({ type, agent_id }) => [type, agent_id])).toEqual([["keys", by.id]]);
  // The statement of the version before joins the works of its rows.
  const before = "SELECT FROM log_outbox o JOIN creations c ON c.id = o.creation_id";
  expect(await runSql(service, before)).toEqual([]);
});

test("the end of an agent takes its keys, and what opens their entries, those that still wait too", async () => {
  const by = await connectAuthor(service);
  const { jwk } = makeKey();
  await put(by, [jwk]);
  await sequence(service);
  await put(by, []);
  await eraseAgent(service.deps, COMMAND_LINE, by.id);
  await sequence(service);
  const records = await runSql(service, "SELECT nonce, statement FROM log_key_records WHERE agent_id = $1", [
    by.id,
  ]);
  expect(records).toEqual([0, 1].map(() => ({ nonce: null, statement: null })));
  expect(await runSql(service, "SELECT FROM agent_keys WHERE agent_id = $1", [by.id])).toEqual([]);
  for (const end of [".json", "/keys.json", "/keys.tlog-proof"]) {
    const url = `/@${by.handle}/profile${end}`;
    expect((await request(service, { method: "GET", url })).status).toBe(404);
  }
  expect((await dumpTables(service)).split("\n").filter((row) => row.includes(jwk.x))).toEqual([]);
});
