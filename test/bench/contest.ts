import { execFile } from "node:child_process";
import { loadavg } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { medianOf } from "./race.ts";

const CONNECTIONS = 16;
const SECONDS = Number(process.env.BENCH_SECONDS ?? 3);
const ROUNDS = 5;
/** A service that refuses more than this share serves another load than its peer. */
const MOST_REFUSED = 0.01;

/** What is asked: a name for it, headers that both are sent, and the least share of the peer's rate. */
export interface Contest {
  name: string;
  headers?: readonly string[];
  least: number;
}

interface Figures {
  perSecond: number;
  refused: number;
}

/** Puts an address of ours beside a peer's under one generator: rounds in turn, the first to warm up; tells where the median ratio is too low. */
export async function contend(ours: string, peer: string, contest: Contest): Promise<string[]> {
  const { name, headers = [], least } = contest;
  const rounds: { ours: Figures; peer: Figures; load: number }[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const figures = { peer: await measure(peer, headers), ours: await measure(ours, headers) };
    if (round > 0) rounds.push({ ...figures, load: loadavg()[0] ?? 0 });
  }
  console.log(
    `\n${name}: answers a second, ${CONNECTIONS} connections, ${ROUNDS} rounds of ${SECONDS} s in turn`,
  );
  console.table(
    rounds.map(({ ours, peer, load }) => ({
      ours: Math.round(ours.perSecond),
      peer: Math.round(peer.perSecond),
      ratio: tell(ours.perSecond / peer.perSecond),
      refused: tell(ours.refused),
      load: tell(load),
    })),
  );
  const ratio = medianOf(rounds.map((round) => round.ours.perSecond / round.peer.perSecond));
  const refused = medianOf(rounds.map((round) => round.ours.refused));
  console.log(`${name}: ${tell(ratio)} of the peer (must ${least})`);
  return [
    ratio >= least ? [] : [`${name}: ${tell(ratio)} of the peer, under ${least}`],
    refused <= MOST_REFUSED ? [] : [`${name}: ${tell(100 * refused)} % of the requests were refused`],
  ].flat();
}

const tell = (figure: number) => Number(figure.toPrecision(2));

async function measure(url: string, headers: readonly string[]): Promise<Figures> {
  const client = join(import.meta.dirname, "load-client.ts");
  const args = [client, url, String(CONNECTIONS), String(SECONDS), ...headers];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const { answered, refused } = JSON.parse(stdout) as { answered: number; refused: number };
  return { perSecond: (answered - refused) / SECONDS, refused: refused / answered };
}
