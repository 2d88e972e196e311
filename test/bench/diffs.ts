import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";
import { diffTexts } from "../../shared/tables/differences/diff-texts.ts";
import { seededRandom } from "../support/random-texts.ts";
import { type Measurement, printMeasurements } from "./report.ts";

const CHARACTERS = 100_000;
const ROUNDS = 51;
// The first rounds compile: a diff of few changes takes less than a millisecond, so there are many.
const WARM_UP = 100;
const MOST_TIMES_BARE = 1.3;
// One word in so many is another: a correction, and a text that was gone through line by line.
const CHANGED_WORDS = [400, 100, 50];
const HOSTILE_MS = 400;

/** The patch and the words of a text, beside the patch alone by the library that finds both, in turns. */
function benchText(every: number): { measurements: Measurement[]; ratio: number } {
  const [from, to] = writeTexts(every);
  const ours = () => void diffTexts(from, to);
  const options = { context: 3, headerOptions: FILE_HEADERS_ONLY };
  const peer = () => void createTwoFilesPatch("a", "b", from, to, undefined, undefined, options);
  const times = { ours: [] as number[], peer: [] as number[] };
  for (let round = 0; round < ROUNDS + WARM_UP; round++) {
    const [ourMs, peerMs] = [timeCpu(ours), timeCpu(peer)];
    if (round < WARM_UP) continue;
    times.ours.push(ourMs);
    times.peer.push(peerMs);
  }
  const measurements = [
    { name: "patch and words", milliseconds: times.ours },
    { name: "patch by diff alone", milliseconds: times.peer },
  ];
  return { measurements, ratio: medianOf(times.ours) / medianOf(times.peer) };
}

function writeTexts(every: number): [string, string] {
  const random = seededRandom(7);
  const words: string[] = [];
  for (let length = 0; length < CHARACTERS; length += (words.at(-1) ?? "").length + 1)
    words.push(
      random()
        .toString(36)
        .slice(2, 3 + Math.floor(random() * 9)),
    );
  const join = (list: readonly string[]) =>
    list
      .map((word, at) => word + (at % 12 === 11 ? "\n" : " "))
      .join("")
      .slice(0, CHARACTERS);
  return [join(words), join(words.map((word, at) => (at % every === 0 ? `${word}x` : word)))];
}

/** Texts that have nothing in common: what the bound of work is for. */
function benchHostile(): Measurement[] {
  const random = seededRandom(11);
  const other = (end: string) =>
    Array.from({ length: 20_000 }, () => random().toString(36).slice(2, 6) + end)
      .join("")
      .slice(0, CHARACTERS);
  const pairs: [string, string, string][] = [
    ["20,000 lines, all others", other("\n"), other("\n")],
    ["one line of 20,000 other words", other(" "), other(" ")],
    ["one character in turns", "a.".repeat(CHARACTERS / 2), "b,".repeat(CHARACTERS / 2)],
  ];
  return pairs.map(([name, from, to]) => ({
    name,
    target: HOSTILE_MS,
    milliseconds: Array.from({ length: 5 }, () => timeCpu(() => void diffTexts(from, to))),
  }));
}

/** The processor's time, for a diff must not pay for what else the machine does. */
function timeCpu(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function medianOf(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/** Prints all times; tells when ours is more than 1.3 times the library's, and which hostile text takes too long. */
export async function run(): Promise<string[]> {
  const missed: string[] = [];
  for (const every of CHANGED_WORDS) {
    const { measurements, ratio } = benchText(every);
    missed.push(...printMeasurements(`100,000 characters, one word in ${every} changed`, measurements));
    const told = `${ratio.toFixed(2)} × diff alone, at most ${MOST_TIMES_BARE} wanted`;
    console.log(told);
    if (ratio > MOST_TIMES_BARE) missed.push(told);
  }
  return [...missed, ...printMeasurements("Texts with nothing in common", benchHostile())];
}
