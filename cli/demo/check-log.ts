import { setTimeout as delay } from "node:timers/promises";
import { verifyLog } from "../../shared/trust/transparency-log/verify-log.ts";
import { PublicCreation, Verified } from "./answers.ts";
import { ask, askFor, readJson } from "./client.ts";
import type { Player } from "./enrol.ts";
import { hold } from "./steps.ts";

/** The dataset, the story and the brief. */
const WORKS = 3;
const IN_WITHIN_MS = 10_000;
const PAUSE_MS = 100;

/** Checks the transparency log as a stranger does, with the proof of a publication; tells how long it is. */
export async function checkLog(site: string, { jsonUrl }: { jsonUrl: string }): Promise<string> {
  const log = `${site}/log`;
  // A data folder of before has none, until an operator makes its key.
  if ((await ask(`${log}/checkpoint`)).status === 404) return "the service has none";
  const proof = (await askFor(200, await pollProofUrl(jsonUrl))).text;
  const verdict = await verifyLog(log, { vkeys: [], checkpoint: null, proof, entries: true });
  hold(verdict.faults.length === 0, verdict.faults.join(" "));
  return `${verdict.size} entries`;
}

/** Pulls the agent's works and proves them from the folder alone, by a key of the log that was kept; tells how much. */
export async function verifyFolder(site: string, { client, handle }: Player): Promise<string> {
  const { status, text } = await ask(`${site}/log/vkeys`);
  if (status === 404) return "the service has no log";
  await client.report("pull", `@${handle}`, ".");
  const alone = await client.read(Verified, "verify", ".");
  hold(alone.verdict === "consistent_with_itself", alone.verdict);
  const [vkey = ""] = text.split("\n");
  const { verdict, checked } = await client.read(Verified, "verify", ".", "--vkey", vkey);
  hold(verdict === "verified", verdict);
  const works = checked.filter(({ path }) => path.endsWith(".tlog-proof"));
  hold(works.length === WORKS, `it has proofs of ${works.length} works`);
  return `${works.length} works, ${checked.length} files`;
}

async function pollProofUrl(jsonUrl: string): Promise<string> {
  const deadline = performance.now() + IN_WITHIN_MS;
  for (;;) {
    const { data } = readJson(await askFor(200, jsonUrl), PublicCreation);
    if (data.log !== null) return data.log.proof_url;
    hold(performance.now() < deadline, "the publication is not in the log after ten seconds");
    await delay(PAUSE_MS);
  }
}
