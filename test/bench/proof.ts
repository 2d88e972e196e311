// What proof costs a publication: signed, on a site with two witnesses, beside one without both on the same site.
import { randomUUID } from "node:crypto";
import { loadavg } from "node:os";
import { choosePort } from "../../cli/embedded/port.ts";
import {
  addWitness,
  readWitnesses,
  removeWitness,
} from "../../shared/trust/transparency-log/own-witnesses.ts";
import { addWitnessedLog, listWitnessKeys } from "../../shared/trust/witness/witnessed-logs.ts";
import { jcs, makeKey } from "../api/rules/signatures/signer.ts";
import { send } from "../support/http-agent.ts";
import { makeLogKey } from "../support/log.ts";
import { openPublisher, ROOMY } from "../support/publisher.ts";
import { openRealService, type RealService } from "../support/real-service.ts";
import { readServedSize } from "../support/served-log.ts";
import { until } from "../support/service-process.ts";
import { medianOf } from "./race.ts";
import { NOISE } from "./report.ts";

const PUBLICATIONS = Number(process.env.BENCH_ROUNDS ?? 100);
/** Publications one after the other of each kind, before the other has its turn. */
const TURN = 10;
/** Times a publication without. */
const MOST = 1.05;
const LOG = "localhost:3000/log";
const STORY = "The gauge rose 1.2 m in the night. ".repeat(58).slice(0, 2000);
const PATH = "/api/v1/creations";

/** An agent with a key; publishing gives how long the call took. */
async function openSigner(service: RealService, url: string) {
  const { call } = await openPublisher(service.deps, url, "signer");
  const { id: agent } = await call({ path: "/api/v1/agent" });
  const key = makeKey();
  await call({ method: "PUT", path: "/api/v1/agent/keys", body: { keys: [key.jwk] } });
  return async (isSigned: boolean): Promise<number> => {
    const body = { type: "story", payload: { title: `Reading ${randomUUID()}`, body_markdown: STORY } };
    const { checksum, disclosure_sha256 } = (await call({ method: "POST", path: `${PATH}/check`, body }))
      .result;
    const signature = key.sign(jcs({ agent, checksum, disclosure_sha256, v: 1 }));
    const order = { ...body, ...(isSigned && { signature }), publish: {} };
    const since = performance.now();
    await call({ method: "POST", path: PATH, body: order });
    return performance.now() - since;
  };
}

/** Two other sites, each with a process and a database of its own; gives what the log needs to know of them. */
async function openWitnesses(service: RealService, url: string, others: readonly Other[]) {
  await until(async () => (await send(url, { path: "/log/vkeys" })).status === 200, 30_000);
  const [log = ""] = (await send(url, { path: "/log/vkeys" })).text.split("\n");
  const witnesses: { name: string; vkey: string; url: string }[] = [];
  for (const { service: other, port } of others) {
    const api = await other.startApi({ port });
    api.dropOutput();
    await addWitnessedLog(other.deps, LOG, log);
    const [vkey = ""] = await listWitnessKeys(other.deps);
    witnesses.push({ name: vkey.split("+")[0] ?? "", vkey, url: `${api.url}/witness` });
  }
  return {
    add: async () => {
      for (const { vkey, url: at } of witnesses) await addWitness(service.deps, vkey, at);
    },
    remove: async () => {
      for (const { name } of witnesses) await removeWitness(service.deps, name);
    },
  };
}
type Other = { service: RealService; port: number };

/** Measures both in turns; tells what is above the target. */
export async function run(): Promise<string[]> {
  const open = async (env: NodeJS.ProcessEnv) => await openRealService({ env: { ...ROOMY, ...env } });
  const openOther = async (name: string) => ({
    service: await open({ WITNESS: "on", SITE_URL: `https://${name}.example` }),
    port: await choosePort(),
  });
  const others = [await openOther("one"), await openOther("two")];
  const service = await open({
    LOG_KEY: makeLogKey(LOG),
    LOG_QUORUM: "2",
    OUTBOUND_ALLOW: others.map(({ port }) => `witness=127.0.0.1:${port}`).join(),
  });
  try {
    const [api, workers] = await Promise.all([service.startApi(), service.startWorkers()]);
    for (const running of [api, workers]) running.dropOutput();
    const publish = await openSigner(service, api.url);
    for (let warm = 0; warm < TURN; warm++) await publish(true);
    const witnesses = await openWitnesses(service, api.url, others);
    const took = { without: [] as number[], having: [] as number[] };
    while (took.having.length < PUBLICATIONS) {
      for (let turn = 0; turn < TURN; turn++) took.without.push(await publish(false));
      await witnesses.add();
      for (let turn = 0; turn < TURN; turn++) took.having.push(await publish(true));
      const size = await readServedSize(api.url);
      const areAsked = async () =>
        (await readWitnesses(service.deps)).witnesses.every((one) => (one.last_size ?? 0) >= size);
      await until(areAsked, 10_000);
      await witnesses.remove();
    }
    const [having, without] = [medianOf(took.having), medianOf(took.without)];
    const ratio = having / without;
    console.log(
      `publishing: ${having.toFixed(1)} ms signed and with two witnesses, ${without.toFixed(1)} ms without: ${ratio.toFixed(3)} times (must ${MOST}); load ${loadavg()[0]?.toFixed(1)}`,
    );
    const most = MOST * (1 + NOISE);
    return ratio > most
      ? [`publishing with signatures and witnesses: ${ratio.toFixed(3)}, over ${MOST}`]
      : [];
  } finally {
    for (const one of [service, ...others.map((other) => other.service)]) await one.close();
  }
}
