import { mkdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { checkLog } from "../../../../shared/care/doctor/work.ts";
import { eraseCreation } from "../../../../shared/care/erasure/erase-creation.ts";
import { DAY_MS } from "../../../../shared/ground/times.ts";
import { COMMAND_LINE } from "../../../../shared/identity/audit/record-act.ts";
import { loadConfig } from "../../../../shared/platform/config.ts";
import {
  readSignerKey,
  readVerifier,
  verifyNote,
} from "../../../../shared/text/transparency-log/signed-note.ts";
import {
  addLogKey,
  makeFirstLogKey,
  makeLogKey as makeForOperator,
  readLogStatus,
  reopenLog,
} from "../../../../shared/trust/transparency-log/operate-log.ts";
import { connectAuthor, publishNew, type TestAgent } from "../../../support/agent.ts";
import { makeLogKey, readJson, readRaw, readWholeLog, sequence } from "../../../support/log.ts";
import { openService } from "../../../support/service.ts";
import { runSql } from "../../../support/tables.ts";
import { readExtra, verifyProof } from "../../text/transparency-log/oracle/verify-log.ts";

let agent: TestAgent;

const service = await openService({ workers: false });
const keyFile = join(service.deps.config.dataDir, "keys", "log.key");

const standstill = async () => (await readLogStatus(service.deps)).standstill;
const sizeFile = () => join(service.deps.config.dataDir, "keys", "log.size");
const publishOne = async (title: string) =>
  await publishNew(agent, { payload: { title, body_markdown: title } });
const proofOf = async (slug: string) =>
  (await readRaw(service, `/@tidewatch/${slug}/revisions/1.tlog-proof`)).text;
const indexOf = (proof: string) => Number(/^index (\d+)$/m.exec(proof)?.[1]);

/** The texts of the keys that signed a note, as far as they are among these. */
function signedBy(note: string, vkeys: readonly string[]): string[] {
  return vkeys.filter((vkey) => {
    const verifier = readVerifier(vkey);
    return verifier !== null && verifyNote(note, [verifier]) !== null;
  });
}

describe("a log without a key", () => {
  test("is off: its addresses are missing, nothing is signed, and what is published waits", async () => {
    agent = await connectAuthor(service, { handle: "tidewatch" });
    await publishOne("Early");
    expect([await sequence(service), await standstill()]).toEqual([0, "off"]);
    for (const path of ["checkpoint", "vkeys", "tile/0/000.p/1"]) {
      expect((await readRaw(service, `/log/${path}`)).status).toBe(404);
    }
    expect((await readJson(service, "/@tidewatch/early.json")).log).toBeNull();
    expect(await checkLog(service.deps)).toMatchObject([{ status: "ok" }]);
    await expect(reopenLog(service.deps)).rejects.toThrow(/is off/);
  });

  test("gets none by the start of a service that has something", async () => {
    await makeFirstLogKey(service.deps.config, service.databaseUrl);
    await expect(stat(keyFile)).rejects.toThrow(/ENOENT/);
  });

  test("begins by `log key add`, with what was published before", async () => {
    const { vkey } = await addLogKey(service.deps);
    expect((await stat(keyFile)).mode & 0o777).toBe(0o600);
    expect(readSignerKey((await readFile(keyFile, "utf8")).trim())?.name).toBe("localhost:3000/log");
    expect(await sequence(service)).toBe(1);
    const log = await readWholeLog(service);
    expect([log.vkey, log.size]).toEqual([vkey, 1]);
    expect((await readJson(service, "/@tidewatch/early.json")).log.index).toBe(0);
    expect(await readFile(sizeFile(), "utf8")).toBe("1 1\n");
  });
});

describe("a key", () => {
  test("is made by the first start of a service that has nothing, and by no later one", async () => {
    const empty = await openService({ workers: false });
    const path = join(empty.deps.config.dataDir, "keys", "log.key");
    await makeFirstLogKey(empty.deps.config, empty.databaseUrl);
    const made = await readFile(path, "utf8");
    await makeFirstLogKey(empty.deps.config, empty.databaseUrl);
    expect(await readFile(path, "utf8")).toBe(made);
  });

  test("that is missing, damaged or another one has the log stand still until it is back", async () => {
    await publishOne("Waiting");
    await rename(keyFile, `${keyFile}.away`);
    expect([await sequence(service), await standstill()]).toEqual([0, "no_key"]);
    expect((await readRaw(service, "/log/checkpoint")).status).toBe(200);
    await writeFile(keyFile, `${makeLogKey()}\n`);
    expect([await sequence(service), await standstill()]).toEqual([0, "another_key"]);
    expect(await checkLog(service.deps)).toMatchObject([{ status: "fail" }]);
    await expect(addLogKey(service.deps)).rejects.toThrow(/stands still/);
    await writeFile(keyFile, "nonsense\n");
    await expect(sequence(service)).rejects.toThrow(/damaged/);
    await rename(`${keyFile}.away`, keyFile);
    expect([await sequence(service), await standstill()]).toEqual([1, null]);
  });

  test("that is added signs beside the old one for thirty days, and alone afterwards", async () => {
    const { vkey: old } = await readWholeLog(service);
    const { vkey } = await addLogKey(service.deps);
    await sequence(service);
    const log = await readWholeLog(service);
    expect(log.vkey).toBe(vkey);
    expect(signedBy(log.checkpoint, [vkey, old])).toEqual([vkey, old]);
    service.clock.nowMs += 29 * DAY_MS;
    await publishOne("Both sign");
    await sequence(service);
    expect(signedBy((await readWholeLog(service)).checkpoint, [vkey, old])).toEqual([vkey, old]);
    service.clock.nowMs += 2 * DAY_MS;
    await sequence(service);
    expect(signedBy((await readWholeLog(service)).checkpoint, [vkey, old])).toEqual([vkey]);
    expect((await readRaw(service, "/log/vkeys")).text).toBe(`${vkey}\n${old}\n`);
  });

  test("of LOG_KEY is a signer key, and a new one there is added by the command", async () => {
    expect(() => loadConfig({ LOG_KEY: "short" })).toThrow(/^LOG_KEY cannot be used: a signer key/);
    const { signer_key: first } = makeForOperator(service.deps);
    const second = makeLogKey();
    const other = await openService({ workers: false, config: { logKeys: [first] } });
    await sequence(other);
    await expect(addLogKey(other.deps)).rejects.toThrow(/no key that the log does not know/);
    const config = { ...other.deps.config, logKeys: loadConfig({ LOG_KEY: `${second}, ${first}` }).logKeys };
    const changed = { ...other, deps: { ...other.deps, config } };
    // A key that the log does not know yet signs nothing.
    await sequence(changed);
    const before = await readWholeLog(other);
    const { vkey } = await addLogKey(changed.deps);
    await sequence(changed);
    const after = await readWholeLog(other);
    expect(signedBy(before.checkpoint, [vkey, before.vkey])).toEqual([before.vkey]);
    expect(signedBy(after.checkpoint, [vkey, before.vkey])).toEqual([vkey, before.vkey]);
  });
});

describe("a database that is behind what was signed", () => {
  test("signs no second history, and goes on in another log that names the last checkpoint", async () => {
    const before = await readWholeLog(service);
    const proof = await proofOf("early");
    await writeFile(sizeFile(), `1 ${before.size + 1}\n`);
    const work = await publishOne("Later");
    expect([await sequence(service), await standstill()]).toEqual([0, "behind"]);
    const reopened = await reopenLog(service.deps);
    expect(reopened).toMatchObject({ log: 2, origin: "localhost:3000/log/2", was: "behind" });
    expect(await sequence(service)).toBe(1);
    await expect(reopenLog(service.deps)).rejects.toThrow(/goes on/);
    const log = await readWholeLog(service, "/log/2");
    expect([log.vkey, log.size]).toEqual([reopened.vkey, 2]);
    expect(log.told[0]).toEqual({
      at: expect.any(String),
      checkpoint: before.checkpoint,
      type: "reopened",
      v: 1,
    });
    const [entry] = log.entries.slice(1);
    expect(verifyProof(await proofOf(work.slug), log.vkey, entry ?? Buffer.alloc(0))).toBe(2);
    // The first log is what it was, and its proofs hold.
    expect((await readWholeLog(service)).checkpoint).toBe(before.checkpoint);
    expect(verifyProof(proof, before.vkey, before.entries[0] ?? Buffer.alloc(0))).toBe(before.size);
    expect(await proofOf("early")).toBe(proof);
    const page = (await readRaw(service, `/@tidewatch/${work.slug}`)).text;
    expect(page).toContain('/revisions/1.tlog-proof">On record</a>');
    expect(await readFile(sizeFile(), "utf8")).toBe("2 2\n");
  });

  test("has a removal name the entry in the log before", async () => {
    const index = indexOf(await proofOf("early"));
    const { id } = await readJson(service, "/@tidewatch/early.json");
    await eraseCreation(service.deps, COMMAND_LINE, id);
    await sequence(service);
    expect((await readWholeLog(service, "/log/2")).told.at(-1)).toMatchObject({
      ...{ type: "content_removed", creation: id },
      ...{ of: index, of_log: 1 },
    });
  });

  test("that knows nothing of a log begins the next one", async () => {
    const other = await openService({ workers: false, config: { logKeys: [makeLogKey()] } });
    const folder = join(other.deps.config.dataDir, "keys");
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, "log.size"), "1 7\n");
    expect([await sequence(other), (await readLogStatus(other.deps)).standstill]).toEqual([0, "behind"]);
    expect(await reopenLog(other.deps)).toMatchObject({ log: 2 });
    expect((await readWholeLog(other, "/log/2")).told).toMatchObject([
      { checkpoint: null, type: "reopened" },
    ]);
    expect((await readRaw(other, "/log/checkpoint")).status).toBe(404);
  });
});

test("the backlog has a work whose removal came before its entry, and keeps no nonce of it", async () => {
  const work = await publishOne("Fast");
  await eraseCreation(service.deps, COMMAND_LINE, work.id);
  expect(await sequence(service)).toBe(2);
  const { told } = await readWholeLog(service, "/log/2");
  expect(told.slice(-2)).toMatchObject([
    { type: "published", creation: work.id },
    { type: "content_removed", creation: work.id },
  ]);
  const rows = await runSql(service, "SELECT nonce, statement FROM log_records WHERE creation_id = $1", [
    work.id,
  ]);
  expect(rows).toEqual([{ nonce: null, statement: null }]);
  expect(readExtra(await proofOf("both-sign"))).not.toBeNull();
});
