import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { loadavg } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { medianOf } from "./race.ts";

const CONNECTIONS = 16;
const SECONDS = Number(process.env.BENCH_SECONDS ?? 3);
const ROUNDS = 5;
/** The kernel counts a hundred a second. */
const MICROS_A_TICK = 10_000;
/** A service that refuses more than this share serves another load than its peer. */
const MOST_REFUSED = 0.01;

/** A process under measurement, and the address that it is asked for. */
export interface Server {
  url: string;
  pid: number;
}

/** What is asked: a name for it, headers that both are sent, and the least share of the peer's rate. */
export interface Contest {
  name: string;
  headers?: readonly string[];
  least: number;
}

interface Figures {
  perSecond: number;
  refused: number;
  /** Processor time of the server's process for each answer; noise of other processes moves it far less. */
  cpuMicros: number;
}

/** Puts ours beside a peer under one generator: rounds in turn, the first to warm up; tells where the median ratio is too low. */
export async function contend(ours: Server, peer: Server, contest: Contest): Promise<string[]> {
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
      "ours, µs of CPU": Math.round(ours.cpuMicros),
      "peer, µs of CPU": Math.round(peer.cpuMicros),
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

async function measure({ url, pid }: Server, headers: readonly string[]): Promise<Figures> {
  const before = await readCpuMicros(pid);
  const client = join(import.meta.dirname, "load-client.ts");
  const args = [client, url, String(CONNECTIONS), String(SECONDS), ...headers];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const { answered, refused } = JSON.parse(stdout) as { answered: number; refused: number };
  const served = answered - refused;
  return {
    perSecond: served / SECONDS,
    refused: refused / answered,
    cpuMicros: ((await readCpuMicros(pid)) - before) / served,
  };
}

/** What a process has used of the processor; not known where there is no /proc. */
async function readCpuMicros(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  // Behind the name, which may hold anything: user and system time are the 14th and 15th of all.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * MICROS_A_TICK;
}
