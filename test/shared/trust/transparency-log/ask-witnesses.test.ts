import type { AddressInfo } from "node:net";
import { beforeEach, describe, expect, test } from "vitest";
import { checkWitnesses } from "../../../../shared/care/doctor/work.ts";
import { readWaits } from "../../../../shared/care/operations/gauges.ts";
import { openCosigner } from "../../../../shared/text/transparency-log/cosignature.ts";
import {
  addWitness,
  readWitnesses,
  removeWitness,
} from "../../../../shared/trust/transparency-log/own-witnesses.ts";
import { verifyLog } from "../../../../shared/trust/transparency-log/verify-log.ts";
import { addWitnessedLog } from "../../../../shared/trust/witness/witnessed-logs.ts";
import { connectAuthor, publishNew } from "../../../support/agent.ts";
import { allow } from "../../../support/allow.ts";
import { makeLogKey, readJson, readRaw, readWholeLog, sequence } from "../../../support/log.ts";
import { openService } from "../../../support/service.ts";
import { until } from "../../../support/service-process.ts";
import { runSql } from "../../../support/tables.ts";
import { type Answer, openWitness } from "../../../support/witness-host.ts";
import { readExtra, verifyCosignature, verifyProof } from "../../text/transparency-log/oracle/verify-log.ts";

const [one, two] = [await openWitness("one"), await openWitness("two")];
const service = await openService({
  workers: false,
  config: {
    logKeys: [makeLogKey()],
    logQuorum: 2,
    outboundAllow: allow(`witness=${one.host}`, `witness=${two.host}`),
  },
});
const { deps } = service;
const agent = await connectAuthor(service, { handle: "tide" });
await service.app.listen({ port: 0, host: "127.0.0.1" });
const site = `http://127.0.0.1:${(service.app.server.address() as AddressInfo).port}`;

const publishOne = async (title: string) => {
  later(1_000);
  await publishNew(agent, { payload: { title, body_markdown: title } });
  await sequence(service);
};
const idle = async () => await until(() => deps.background.count() === 0, 15_000);
/** Asks as a worker does, a second later, and waits for every answer; returns how many were asked since the last time. */
async function ask(): Promise<number> {
  later(1_000);
  await sequence(service);
  await idle();
  return one.asked.splice(0).length + two.asked.splice(0).length;
}
const later = (ms: number) => {
  service.clock.nowMs += ms;
};
const stateOf = async (name: string) =>
  (await readWitnesses(deps)).witnesses.find((witness) => witness.name === name);
const witnessesOf = async (slug: string) => (await readJson(service, `/@tide/${slug}.json`)).log.witnesses;
const checkpoint = async () => (await readRaw(service, "/log/checkpoint")).text;

beforeEach(() => {
  one.instead = null;
  two.instead = null;
});

describe("a witness of the log", () => {
  test("is added by its key and its address, once, and a key that does not cosign is refused with the reason", async () => {
    await publishOne("First");
    const { vkey } = await readWholeLog(service);
    for (const { service: other } of [one, two])
      await addWitnessedLog(other.deps, "localhost:3000/log", vkey);
    await expect(addWitness(deps, vkey, one.url)).rejects.toThrow(/Ed25519 cosignature\/v1/);
    await expect(addWitness(deps, one.vkey, "ftp://a.example")).rejects.toThrow(/submission prefix/);
    for (const url of [`${one.url}?a=1`, `https://a.example/${"a".repeat(2000)}`])
      await expect(addWitness(deps, one.vkey, url)).rejects.toThrow(/submission prefix/);
    const own = openCosigner("localhost:3000/witness", Buffer.alloc(32, 1));
    await expect(addWitness(deps, own.vkey, one.url)).rejects.toThrow(/the site itself/);
    const added = await addWitness(deps, one.vkey, `${one.url}/`);
    expect(added).toEqual({ name: one.name, key_id: one.vkey.split("+")[1], url: one.url, last_size: null });
    await expect(addWitness(deps, one.vkey, one.url)).rejects.toThrow(/already/);
    // The same signer under two names would count as two.
    const renamed = openCosigner("else.example", Buffer.alloc(32));
    await addWitness(deps, openCosigner("some.example", Buffer.alloc(32)).vkey, one.url);
    await expect(addWitness(deps, renamed.vkey, one.url)).rejects.toThrow(/some\.example has this key/);
    await removeWitness(deps, "some.example");
    await addWitness(deps, two.vkey, two.url);
    expect(await checkWitnesses(deps)).toMatchObject([
      { status: "ok", detail: "0 of 2 have signed the newest checkpoint." },
    ]);
  });

  test("cosigns the newest checkpoint, whose reader sees its line, and is not asked for the same again", async () => {
    expect(await ask()).toBe(2);
    const note = await checkpoint();
    for (const { vkey } of [one, two])
      expect(verifyCosignature(note, vkey)).toBe(one.service.clock.nowMs / 1000);
    expect(await stateOf(one.name)).toMatchObject({ last_size: 1, failure: null });
    expect(await ask()).toBe(0);
    const gauges = (await readWaits(deps)).filter(({ name }) => name === "log_witness_size");
    expect(gauges.map(({ labels, figure }) => [labels.witness, figure])).toEqual([
      [one.name, 1],
      [two.name, 1],
    ]);
  });

  test("says on page and in JSON how many had seen the first checkpoint that enough signed, which never changes", async () => {
    expect(await witnessesOf("first")).toBe(2);
    expect((await readRaw(service, "/@tide/first")).text).toContain("On record, seen by 2 witnesses</a>");
    two.instead = () => ({ status: 500, body: "" });
    await publishOne("Second");
    await ask();
    expect(await witnessesOf("second")).toBe(0);
    const page = (await readRaw(service, "/@tide/second")).text;
    expect([page.includes("On record</a>"), page.includes("seen by")]).toEqual([true, false]);
    // A proof has the newest checkpoint with both, and the newest of all where none of these has the entry.
    const sizeOf = async (slug: string) => {
      const { text } = await readRaw(service, `/@tide/${slug}/revisions/1.tlog-proof`);
      const { vkey } = await readWholeLog(service);
      return verifyProof(text, vkey, Buffer.from(JSON.stringify(readExtra(text)?.entry)));
    };
    expect([await sizeOf("first"), await sizeOf("second")]).toEqual([1, 2]);
    two.instead = null;
    later(2_000);
    await ask();
    expect([await witnessesOf("first"), await witnessesOf("second")]).toEqual([2, 2]);
    expect((await readRaw(service, "/@tide/second")).text).toContain("seen by 2 witnesses");
    expect([await sizeOf("first"), await sizeOf("second")]).toEqual([2, 2]);
  });
});

describe("a witness that does not do as it should costs its line alone", () => {
  const lies: readonly [says: RegExp, answer: (body: string) => Answer][] = [
    [/answers 404/, () => ({ status: 404, body: "" })],
    [/did not sign/, () => ({ status: 200, body: "\u2014 one.example/witness AAAA\n" })],
    [/did not sign/, () => ({ status: 200, body: "" })],
    [/without the size/, () => ({ status: 409, body: "many" })],
    [/knows 99 entries/, () => ({ status: 409, body: "99\n" })],
    [/another size each time/, () => ({ status: 409, body: "1\n" })],
  ];
  test.each(lies)("%s", async (says, answer) => {
    const before = (await readWholeLog(service)).size;
    one.instead = answer;
    await publishOne(`Lie ${says.source} ${before}`);
    await ask();
    expect(await stateOf(one.name)).toMatchObject({ failure: expect.stringMatching(says) });
    expect(await stateOf(two.name)).toMatchObject({ last_size: before + 1, failure: null });
    expect(await checkWitnesses(deps)).toMatchObject([
      { status: "warn", detail: expect.stringMatching(says) },
    ]);
    // It is asked again behind a pause that grows, up to five minutes.
    await sequence(service).then(idle);
    expect(one.asked).toEqual([]);
    later(5 * 60_000);
    one.instead = null;
    expect(await ask()).toBe(1);
    expect(await stateOf(one.name)).toMatchObject({ last_size: before + 1, failure: null });
    expect(await checkWitnesses(deps)).toMatchObject([{ status: "ok" }]);
  });

  test("lines of an answer that nobody knows are passed over", async () => {
    one.instead = async (body) => ({
      status: 200,
      body: `a line\n${(await one.ask(body)).body}\n\u2014 x AAAA`,
    });
    await publishOne("Unknown lines");
    await ask();
    expect(await stateOf(one.name)).toMatchObject({ failure: null });
  });

  test("one that knows a larger tree of before goes on from there", async () => {
    one.instead = (body) =>
      /^old 1\n/.test(body) ? { status: 409, body: "2\n" } : { status: 503, body: "" };
    await runSql(service, `UPDATE log_witnesses SET last_size = 1 WHERE name = '${one.name}'`);
    await publishOne("Known elsewhere");
    await idle();
    expect(one.asked.slice(-2).map((body) => body.split("\n")[0])).toEqual(["old 1", "old 2"]);
    later(5 * 60_000);
    one.instead = null;
    await ask();
    expect(await stateOf(one.name)).toMatchObject({ failure: null });
  });

  test("while one is asked, newer checkpoints wait, and the newest alone goes next", async () => {
    const started = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    one.instead = async (body) => {
      started.resolve();
      await release.promise;
      return await one.ask(body);
    };
    await publishOne("Slow 1");
    await started.promise;
    for (const title of ["Slow 2", "Slow 3", "Slow 4"]) await publishOne(title);
    release.resolve();
    await idle();
    expect([one.asked.length, two.asked.length]).toEqual([2, 2]);
    expect((await stateOf(one.name))?.last_size).toBe((await readWholeLog(service)).size);
  });
});

describe("who verifies the log", () => {
  const verify = (vkeys: readonly string[], quorum: number, proof: string | null = null) =>
    verifyLog(`${site}/log`, {
      ...{ vkeys: [], checkpoint: null, proof, entries: false },
      witnessed: { vkeys, quorum },
    });

  test("names the witnesses that signed, and finds that too few did", async () => {
    expect(await verify([one.vkey, two.vkey], 2)).toMatchObject({
      ...{ faults: [], witnesses: [one.name, two.name], quorum: 2 },
    });
    one.instead = () => ({ status: 500, body: "" });
    // Whoever has a line can write it under another name.
    const { faults: twice } = await verify([one.vkey, one.vkey], 2);
    expect(twice).toContain("A key of a witness is named twice.");
    await publishOne("Unseen");
    const { faults, witnesses } = await verify([one.vkey], 1);
    expect([faults, witnesses]).toEqual([
      ["This does not hold: 1 of the witnesses signed the checkpoint."],
      [],
    ]);
    // The proof of an earlier one has the checkpoint that they signed.
    const { text } = await readRaw(service, "/@tide/first/revisions/1.tlog-proof");
    expect(await verify([one.vkey, two.vkey], 2, text)).toMatchObject({ faults: [] });
  });
});

test("the lines of a witness under an earlier key count for nothing", async () => {
  await ask();
  two.instead = () => ({ status: 500, body: "" });
  await publishOne("Rotated");
  await idle();
  await runSql(
    service,
    `INSERT INTO log_cosignatures (log_number, size, vkey, line)
    SELECT log_number, max(size), '${one.name}+00000000+old', 'old' FROM log_checkpoints GROUP BY log_number`,
  );
  await ask();
  expect(await witnessesOf("rotated")).toBe(0);
  await runSql(service, "DELETE FROM log_cosignatures WHERE line = 'old'");
  two.instead = null;
  later(5 * 60_000);
});

test("a witness that is removed is asked no more, and its lines stay", async () => {
  await ask();
  const note = await checkpoint();
  await removeWitness(deps, one.name);
  await expect(removeWitness(deps, one.name)).rejects.toThrow(/no such witness/);
  expect(await checkpoint()).toBe(note);
  await publishOne("Last");
  expect(await ask()).toBe(1);
  expect(() => verifyCosignature(note, one.vkey)).not.toThrow();
});
