import MarkdownIt from "markdown-it";
import { DEFAULT_PAYLOAD_OPTIONS, parseCreateRequest } from "../../shared/requests/parse.ts";
import { findMarkdownProblems } from "../../shared/text/markdown/find-problems.ts";
import { parseMarkdown } from "../../shared/text/markdown/parse.ts";
import { plainTextOfMarkdown } from "../../shared/text/markdown/plain-text.ts";
import { renderMarkdown } from "../../shared/text/markdown/render.ts";
import { readSlowCorpus, SLOW_DRAWINGS, SLOW_TEXTS } from "../shared/text/markdown/slow-texts.ts";
import { type Measurement, printMeasurements } from "./report.ts";

const CHARACTERS = 100_000;
const ROUNDS = 25;
const MOST_TIMES_BARE = 2;

/** A text of 100,000 characters parsed, checked and rendered by us, and rendered by markdown-it alone, in turns. */
function benchMarkdown(): { measurements: Measurement[]; ratio: number } {
  const text = writeText();
  const bare = new MarkdownIt({ linkify: true });
  const ours = () => {
    const parsed = parseMarkdown(text);
    findMarkdownProblems(parsed);
    renderMarkdown(parsed);
  };
  const peer = () => void bare.render(text);
  const times = { ours: [] as number[], peer: [] as number[] };
  for (let round = 0; round < ROUNDS + 3; round++) {
    const [ourMs, peerMs] = [time(ours), time(peer)];
    // The first rounds compile.
    if (round < 3) continue;
    times.ours.push(ourMs);
    times.peer.push(peerMs);
  }
  const measurements = [
    { name: "parsed, checked and rendered", milliseconds: times.ours },
    { name: "markdown-it alone", milliseconds: times.peer },
  ];
  return { measurements, ratio: medianOf(times.ours) / medianOf(times.peer) };
}

function time(work: () => void): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

function medianOf(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function writeText(): string {
  let text = "";
  for (let index = 0; text.length < CHARACTERS; index++) {
    text +=
      `## Reading ${index}\n\nThe *gauge* at **${index}** rose, see [the log](https://example.org/${index}).\n\n` +
      `- one\n- two \`x\`\n\n| a | b |\n|---|--:|\n| ${index} | y |\n\n> quoted\n\n\`\`\`js\nlet a = ${index};\n\`\`\`\n\n`;
  }
  return text.slice(0, CHARACTERS);
}

const SLOW_MS = 250;
const SLOW_ROUNDS = 5;
const SHOWN = 12;

/** What a save does with a text before it may be stored: parses it, checks it and the blocks of drawings in it. */
function save(text: string): void {
  const body = { type: "story", payload: { title: "Slow", body_markdown: text } };
  parseCreateRequest(body, DEFAULT_PAYLOAD_OPTIONS);
}

/** What a page and the search do with a stored text. */
function show(text: string): void {
  const parsed = parseMarkdown(text);
  renderMarkdown(parsed);
  plainTextOfMarkdown(parsed);
}

/** Times every hostile text, saved and shown; the slowest are printed, and those over the bound missed. */
function benchSlowTexts(): string[] {
  const texts = [...(readSlowCorpus() ?? []), ...SLOW_TEXTS, ...SLOW_DRAWINGS];
  const measurements = texts.flatMap(({ name, text }) =>
    [save, show].map((work) => ({
      name: `${name}: ${work.name}`,
      target: SLOW_MS,
      milliseconds: Array.from({ length: SLOW_ROUNDS }, () => timeCpu(() => work(text))),
    })),
  );
  measurements.sort((one, other) => medianOf(other.milliseconds) - medianOf(one.milliseconds));
  const title = `The slowest of ${texts.length} hostile texts, in the processor's time`;
  return printMeasurements(title, measurements.slice(0, SHOWN));
}

/** The processor's time, for one hostile text must not pay for what else the machine does. */
function timeCpu(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Prints all times; tells when ours is more than twice the peer's, and which hostile text takes too long. */
export async function run(): Promise<string[]> {
  const { measurements, ratio } = benchMarkdown();
  const missed = printMeasurements("Markdown of 100,000 characters", measurements);
  const told = `${ratio.toFixed(2)} × markdown-it alone, at most ${MOST_TIMES_BARE} wanted`;
  console.log(told);
  if (ratio > MOST_TIMES_BARE) missed.push(told);
  return [...missed, ...benchSlowTexts()];
}
