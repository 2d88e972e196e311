import { createHash, randomInt } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { choosePort } from "../../cli/embedded/port.ts";
import { addWitness } from "../../shared/trust/transparency-log/own-witnesses.ts";
import { addWitnessedLog, listWitnessKeys } from "../../shared/trust/witness/witnessed-logs.ts";
import { createRandom } from "../shared/tables/inspection/generated.ts";
import {
  treeHashes,
  verifyCosignature,
  verifySignedNote,
} from "../shared/text/transparency-log/oracle/verify-log.ts";
import { DEEP } from "../support/depth.ts";
import { send } from "../support/http-agent.ts";
import { makeLogKey } from "../support/log.ts";
import { openPublisher } from "../support/publisher.ts";
import { openServiceOfRun } from "../support/real-service.ts";
import { publishUntil, readServedLog, readServedSize } from "../support/served-log.ts";
import { type ServiceProcess, until } from "../support/service-process.ts";

// Two sites witness each other, and their processes are killed. Nobody is ever shown a checkpoint with the line of a witness
// that is not of the one list of entries, and in the end both have signed everything.

// FAULT_MINUTES: how long in all, 30 in the deep run; FAULT_SEED: the same kills again.
const MINUTES = Number(process.env.FAULT_MINUTES ?? (DEEP ? 30 : 0));
const KILLS = MINUTES > 0 ? Number.POSITIVE_INFINITY : 5;
const LASTS_MS = MINUTES > 0 ? MINUTES * 60_000 : 60_000;
/** As many as together never reach what one owner's agents may keep on a day. */
const WRITERS = Math.max(1, Math.ceil(MINUTES / 5));
const KILL_WITHIN_MS = 900;
/** A killed worker's claim of a witness ends after forty seconds. */
const SIGNED_WITHIN_MS = 60_000;

const seed = Number(process.env.FAULT_SEED ?? randomInt(2 ** 31));
const random = createRandom(seed);
const ROOMY = {
  LIMIT_PUBLICATIONS_PER_DAY: "1000000",
  LIMIT_CREATIONS: "1000000",
  LIMIT_LOG_PER_MINUTE: "1000000",
  LIMIT_WITNESS_PER_MINUTE: "1000000",
};

/** A site with an API and a worker, each of which can be killed. */
async function openSite(name: string, { port, other }: { port: number; other: number }) {
  const service = await openServiceOfRun({
    ...ROOMY,
    SITE_URL: `https://${name}.example`,
    LOG_KEY: makeLogKey(`${name}.example/log`),
    LOG_QUORUM: "1",
    WITNESS: "on",
    OUTBOUND_ALLOW: `witness=127.0.0.1:${other}`,
  });
  const start = {
    api: async () => await service.startApi({ port }),
    workers: async () => await service.startWorkers(["deliver"]),
  };
  const running: Record<keyof typeof start, ServiceProcess> = {
    api: await start.api(),
    workers: await start.workers(),
  };
  const [witness = ""] = await listWitnessKeys(service.deps);
  const origin = `${name}.example/log`;
  const url = `http://127.0.0.1:${port}`;
  const writers: string[] = [];
  for (let at = 0; at < WRITERS; at++) {
    writers.push((await openPublisher(service.deps, url, `writer-${name}-${at}`)).token);
  }
  return {
    ...{ service, name, origin, witness, writers, url },
    /** Every checkpoint that a reader was shown, with the lines that it had. */
    seen: new Set<string>(),
    published: 0,
    async kill(victim: keyof typeof start): Promise<void> {
      process.kill(running[victim].pid, "SIGKILL");
      expect((await running[victim].ended).signal).toBe("SIGKILL");
      running[victim] = await start[victim]();
    },
  };
}

type Site = Awaited<ReturnType<typeof openSite>>;

test("sites that witness each other never sign two histories, whatever is killed, and have signed all in the end", {
  timeout: LASTS_MS + 300_000,
}, async () => {
  console.log(`FAULT_SEED=${seed} plays the same kills again`);
  const ports = [await choosePort(), await choosePort()] as const;
  const north = await openSite("north", { port: ports[0], other: ports[1] });
  const south = await openSite("south", { port: ports[1], other: ports[0] });
  const pairs = [
    { site: north, witness: south },
    { site: south, witness: north },
  ];
  for (const { site, witness } of pairs) {
    await until(async () => (await send(site.url, { path: "/log/vkeys" })).status === 200, 30_000);
    const [vkey = ""] = (await send(site.url, { path: "/log/vkeys" })).text.split("\n");
    await addWitnessedLog(witness.service.deps, site.origin, vkey);
    await addWitness(site.service.deps, witness.witness, `${witness.url}/witness`);
  }
  let isOver = false;
  const parties = pairs.flatMap(({ site, witness }) => [
    watch(site, witness, () => isOver),
    publishUntil(() => isOver, {
      ...{ url: site.url, token: site.writers },
      onPublished: () => {
        site.published += 1;
      },
    }),
  ]);
  const kills = await killOn([north, south]);
  isOver = true;
  await Promise.all(parties);
  for (const { site, witness } of pairs) {
    await until(async () => (await readServedSize(site.url)) >= site.published, SIGNED_WITHIN_MS);
    const newest = async () => (await send(site.url, { path: "/log/checkpoint" })).text;
    await until(async () => isCosigned(await newest(), witness), SIGNED_WITHIN_MS);
    site.seen.add(await newest());
    await check(site, witness);
  }
  console.log(`${kills} kills, ${north.published + south.published} publications`);
});

async function killOn(sites: readonly Site[]): Promise<number> {
  const endMs = performance.now() + LASTS_MS;
  let kills = 0;
  for (; kills < KILLS && performance.now() < endMs; kills++) {
    await delay(random() * KILL_WITHIN_MS);
    const site = sites[Math.floor(random() * sites.length)];
    await site?.kill(random() < 0.5 ? "api" : "workers");
  }
  return kills;
}

/** Keeps every checkpoint that the site, or the witness of it, shows. */
async function watch(site: Site, witness: Site, isOver: () => boolean): Promise<void> {
  const hash = createHash("sha256").update(site.origin).digest("hex");
  while (!isOver()) {
    for (const [url, path] of [
      [site.url, "/log/checkpoint"],
      [witness.url, `/witness/${hash}/checkpoint`],
    ] as const) {
      const reply = await send(url, { path }).catch(() => null);
      if (reply?.status === 200) site.seen.add(reply.text);
    }
    await delay(10);
  }
}

function isCosigned(note: string, { witness }: Site): boolean {
  return note.includes(`\u2014 ${witness.split("+")[0]} `) && verifyCosignature(note, witness) > 0;
}

async function check(site: Site, witness: Site): Promise<void> {
  const { entries, vkey } = await readServedLog(site.url);
  const heads = [...site.seen].map((note) => verifySignedNote(note, vkey).split("\n"));
  const roots = treeHashes(
    entries,
    heads.map(([, size]) => Number(size)),
  );
  for (const [origin, size, root] of heads) {
    expect([origin, size, root]).toEqual([site.origin, size, roots.get(Number(size))?.toString("base64")]);
  }
  const cosigned = [...site.seen].filter((note) => isCosigned(note, witness)).length;
  console.log(
    `${site.name}: ${entries.length} entries, ${heads.length} checkpoints seen, ${cosigned} cosigned`,
  );
  expect(cosigned).toBeGreaterThan(0);
}
