import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { readWaits } from "../../../../shared/care/operations/gauges.ts";
import { SWEEPS } from "../../../../shared/care/sweeps.ts";
import { addWitness, readWitnesses } from "../../../../shared/trust/transparency-log/own-witnesses.ts";
import { addWitnessedLog } from "../../../../shared/trust/witness/witnessed-logs.ts";
import { connectAuthor, publishNew } from "../../../support/agent.ts";
import { allow } from "../../../support/allow.ts";
import { makeLogKey, readJson, readRaw, readWholeLog, sequence } from "../../../support/log.ts";
import { openService } from "../../../support/service.ts";
import { until } from "../../../support/service-process.ts";
import { runSql } from "../../../support/tables.ts";
import { openWitness } from "../../../support/witness-host.ts";

/** As often as a worker looks after a commit. */
const BETWEEN_CHECKPOINTS_MS = 100;
const LOAD_MS = 11_000;
const COSIGNED_WITHIN_MS = 10_000;

const witnesses = [await openWitness("quick"), await openWitness("slow"), await openWitness("dead")] as const;
const [quick, slow, dead] = witnesses;
const service = await openService({
  workers: false,
  limits: { publicationsPerDay: 1_000_000, creations: 1_000_000 },
  config: {
    logKeys: [makeLogKey()],
    logQuorum: 2,
    outboundAllow: allow(...witnesses.map(({ host }) => `witness=${host}`)),
  },
});
const { deps } = service;
const agent = await connectAuthor(service, { handle: "tide" });

test("a site without witnesses looks at none: neither its clock nor a publication, a checkpoint's reader or a scrape", async () => {
  await sequence(service);
  service.statements.length = 0;
  await publishNew(agent, { slug: "alone" });
  for (const { run, worker } of SWEEPS) if (worker === "deliver") await run(deps);
  expect((await readJson(service, "/@tide/alone.json")).log).toMatchObject({ index: 0, witnesses: 0 });
  expect((await readRaw(service, "/log/checkpoint")).status).toBe(200);
  await readWaits(deps);
  expect(service.statements.length).toBeGreaterThan(10);
  expect(service.statements.filter((text) => /log_witnesses|log_cosignatures/.test(text))).toEqual([]);
});

test("a witness that is added before the log begins is asked with its first entry", async () => {
  const { logKeys, outboundAllow } = deps.config;
  const early = await openService({ workers: false, config: { logKeys, outboundAllow } });
  await addWitness(early.deps, quick.vkey, quick.url);
  const writer = await connectAuthor(early, { handle: "tide" });
  await publishNew(writer, { slug: "first" });
  await sequence(early);
  await until(() => quick.asked.splice(0).length > 0, 15_000);
});

test("under a steady load two witnesses of different speed sign the same checkpoints, and a dead third holds up neither", async () => {
  const { vkey } = await readWholeLog(service);
  for (const witness of witnesses) {
    await addWitnessedLog(witness.service.deps, "localhost:3000/log", vkey);
    await addWitness(deps, witness.vkey, witness.url);
  }
  const answersAfter = (witness: typeof quick, ms: number) => {
    witness.instead = async (body) => {
      await delay(ms);
      return await witness.ask(body);
    };
  };
  answersAfter(quick, 50);
  answersAfter(slow, 400);
  dead.instead = async () => await new Promise(() => {});
  const endMs = performance.now() + LOAD_MS;
  const isLoad = () => performance.now() < endMs;
  const published: { slug: string; atMs: number; tookMs: number | null }[] = [];
  const publish = async () => {
    while (isLoad()) {
      const slug = `steady-${published.length}`;
      await publishNew(agent, { slug });
      published.push({ slug, atMs: performance.now(), tookMs: null });
      // Each checkpoint has an entry or two; more load the machine, and not what is tried.
      await delay(BETWEEN_CHECKPOINTS_MS);
    }
  };
  const startMs = service.clock.nowMs - performance.now();
  const goOn = () => {
    service.clock.nowMs = Math.round(startMs + performance.now());
  };
  const work = async () => {
    while (isLoad()) {
      goOn();
      await sequence(service);
      await delay(BETWEEN_CHECKPOINTS_MS);
    }
  };
  /** As places in the log grow, so does what is cosigned: the first without witnesses is looked at. */
  const look = async () => {
    while (isLoad()) {
      const next = published.find(({ tookMs }) => tookMs === null);
      if (next === undefined || (await witnessesOf(next.slug)) === 0) await delay(50);
      else next.tookMs = performance.now() - next.atMs;
    }
  };
  await Promise.all([publish(), work(), look()]);
  const waited = published.map(({ atMs, tookMs }) => tookMs ?? performance.now() - atMs);
  expect(published.length).toBeGreaterThan(10);
  expect(published.filter(({ tookMs }) => tookMs !== null).length).toBeGreaterThan(published.length / 3);
  expect(Math.max(...waited)).toBeLessThan(COSIGNED_WITHIN_MS);
  // Nor are they asked more often than they allow.
  expect(quick.asked.length).toBeLessThan(LOAD_MS / 1_000 + 2);
  const areAtEnd = async () => {
    goOn();
    await sequence(service);
    return (await readSizes()).every((size) => size === published.length + 1);
  };
  await until(areAtEnd, 15_000);
  // None signs a checkpoint that the other has not signed: else a quorum would be chance.
  const signed = await runSql(
    service,
    "SELECT size FROM log_cosignatures GROUP BY size HAVING count(*) <> 2",
  );
  expect(signed).toEqual([]);
});

const witnessesOf = async (slug: string) =>
  (await readJson(service, `/@tide/${slug}.json`)).log?.witnesses ?? 0;

async function readSizes() {
  const { witnesses: all } = await readWitnesses(deps);
  return all.filter(({ name }) => name !== dead.name).map(({ last_size }) => last_size);
}
