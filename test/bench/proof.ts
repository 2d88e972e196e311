// What proof costs a publication: an agent that signs, on a site with two witnesses, beside one that does not, on a site
// that has none.
import { randomUUID } from "node:crypto";
import { loadavg } from "node:os";
import { choosePort } from "../../cli/embedded/port.ts";
import { addWitness, readWitnesses } from "../../shared/trust/transparency-log/own-witnesses.ts";
import { addWitnessedLog, listWitnessKeys } from "../../shared/trust/witness/witnessed-logs.ts";
import { jcs, makeKey } from "../api/rules/signatures/signer.ts";
import { send } from "../support/http-agent.ts";
import { makeLogKey } from "../support/log.ts";
import { openRealService, type RealService } from "../support/real-service.ts";
import { readServedSize } from "../support/served-log.ts";
import { until } from "../support/service-process.ts";
import { medianOf } from "./race.ts";
import { ask, openPublisher, ROOMY } from "./site.ts";

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 100);
/** Times a publication without. */
const MOST = 1.05;
const LOG = "localhost:3000/log";
const STORY = "The gauge rose 1.2 m in the night. ".repeat(58).slice(0, 2000);

/** Publishes one story after the other, each signed where the site is witnessed; gives how long the call took. */
async function openSite(service: RealService, name: string, isProven: boolean) {
  const [api, workers] = await Promise.all([service.startApi(), service.startWorkers()]);
  for (const running of [api, workers]) running.dropOutput();
  const { url } = api;
  const { token, call } = await openPublisher(service.deps, url, name);
  const { id: agent } = await call({ path: "/api/v1/agent" });
  const key = makeKey();
  const keys = { method: "PUT", path: "/api/v1/agent/keys", token, body: { keys: [key.jwk] } } as const;
  if (isProven) await ask(url, { ...keys, key: randomUUID() });
  const path = "/api/v1/creations";
  return {
    url,
    async publish(title: string): Promise<number> {
      const body = { type: "story", payload: { title, body_markdown: STORY } };
      const { result } = await call({ method: "POST", path: `${path}/check`, body });
      const { checksum, disclosure_sha256 } = result;
      const signature = isProven ? key.sign(jcs({ agent, checksum, disclosure_sha256, v: 1 })) : null;
      const order = { ...body, ...(signature && { signature }), publish: {} };
      const since = performance.now();
      await call({ method: "POST", path, body: order });
      return performance.now() - since;
    },
  };
}

/** Has the log of a site cosigned by others, each of which has a process of its own. */
async function addWitnesses(
  site: RealService,
  url: string,
  others: readonly { service: RealService; port: number }[],
): Promise<void> {
  const readKeys = async () => await send(url, { path: "/log/vkeys" });
  await until(async () => (await readKeys()).status === 200, 30_000);
  const [vkey = ""] = (await readKeys()).text.split("\n");
  for (const { service, port } of others) {
    const witness = await service.startApi({ port });
    witness.dropOutput();
    await addWitnessedLog(service.deps, LOG, vkey);
    await addWitness(site.deps, (await listWitnessKeys(service.deps))[0] ?? "", `${witness.url}/witness`);
  }
}

/** Measures both in turns; tells what is above the target. */
export async function run(): Promise<string[]> {
  const open = async (env: NodeJS.ProcessEnv) => await openRealService({ env: { ...ROOMY, ...env } });
  const openWitness = async (name: string) => ({
    service: await open({
      WITNESS: "on",
      SITE_URL: `https://${name}.example`,
      LIMIT_WITNESS_PER_MINUTE: "1000000",
    }),
    port: await choosePort(),
  });
  const witnesses = [await openWitness("one"), await openWitness("two")];
  const logged = {
    LOG_KEY: makeLogKey(LOG),
    LOG_QUORUM: "2",
    OUTBOUND_ALLOW: witnesses.map(({ port }) => `witness=127.0.0.1:${port}`).join(),
  };
  const [without, having] = [await open(logged), await open(logged)];
  try {
    const plain = await openSite(without, "plain", false);
    const proven = await openSite(having, "proven", true);
    await addWitnesses(having, proven.url, witnesses);
    const took = { plain: [] as number[], proven: [] as number[] };
    for (let round = -10; round < ROUNDS; round++) {
      const each = {
        plain: await plain.publish(`Plain ${round}`),
        proven: await proven.publish(`Proven ${round}`),
      };
      if (round < 0) continue;
      took.plain.push(each.plain);
      took.proven.push(each.proven);
    }
    const size = await readServedSize(proven.url);
    const areAtEnd = async () =>
      (await readWitnesses(having.deps)).witnesses.every((one) => one.last_size === size);
    await until(areAtEnd, 10_000);
    const ratio = medianOf(took.proven) / medianOf(took.plain);
    console.log(
      `publishing: ${medianOf(took.proven).toFixed(1)} ms signed and with two witnesses (${size} entries), ${medianOf(took.plain).toFixed(1)} ms without: ${ratio.toFixed(3)} times (must ${MOST}); load ${loadavg()[0]?.toFixed(1)}`,
    );
    return ratio > MOST
      ? [`publishing with signatures and witnesses: ${ratio.toFixed(3)}, over ${MOST}`]
      : [];
  } finally {
    for (const service of [without, having, ...witnesses.map((one) => one.service)]) await service.close();
  }
}
