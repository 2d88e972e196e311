import { LONG, noise, times, writeChart } from "../../../gallery/chart-recipes.ts";
import { readCorpus } from "./read-corpus.ts";

/** A text of up to 100,000 characters that a careless reader takes very long for. */
export interface SlowText {
  name: string;
  text: string;
}

const CHARACTERS = 100_000;

interface SlowCase {
  name: string;
  parts: [string, number][] | null;
}

/** The slow inputs of the corpora, or null where they are not there. */
export function readSlowCorpus(): SlowText[] | null {
  const corpus = readCorpus<{ slow_inputs: { cases: SlowCase[] } }>("markdown.json");
  if (corpus === null) return null;
  return corpus.slow_inputs.cases.flatMap(({ name, parts }) =>
    parts === null ? [] : [{ name, text: parts.map(([unit, count]) => unit.repeat(count)).join("") }],
  );
}

function fill(piece: (index: number) => string): string {
  let text = "";
  for (let index = 0; text.length < CHARACTERS; index++) text += piece(index);
  return text.slice(0, CHARACTERS);
}

/** Slow texts of our own. */
export const SLOW_TEXTS: readonly SlowText[] = [
  ["lazy lines under nested quotes", `${">".repeat(31)}${fill(() => "a\n")}`.slice(0, CHARACTERS)],
  ["lazy lines that begin as raw HTML", `${">".repeat(31)}${fill(() => "<a\n")}`.slice(0, CHARACTERS)],
  ["lazy lines under too many quotes", `${"> ".repeat(400)}${fill(() => "a\n")}`.slice(0, CHARACTERS)],
  ["lazy lines under quotes in lists", `${"> - ".repeat(10)}${fill(() => "a\n")}`.slice(0, CHARACTERS)],
  ["nested quotes with one lazy line each", fill(() => `${">".repeat(31)}a\na\n`)],
  ["quotes that end ever deeper", fill((index) => `${">".repeat(31 - (index % 31))}a\n`)],
  ["marks of quotes alone", fill(() => ">\n")],
  ["lists nested ever deeper", fill((depth) => `${" ".repeat(depth * 2)}- a\n`)],
  ["backticks growing", fill((length) => `e${"`".repeat(length)}`)],
  ["equal headings", fill(() => "# a\n")],
  ["headings that take each other's slugs", fill((index) => `# a-${index}\n# a\n`)],
  ["footnotes that are used", fill((index) => `[^${index}]: n[^${index}]\n`)],
  ["one footnote used often", `[^1]: a\n\n${fill(() => "[^1]")}`],
  ["footnotes inside footnotes", fill((index) => `[^${index}]: `)],
  ["inline footnotes nested", "^[".repeat(33_000) + "]".repeat(33_000)],
  ["raw HTML on every line", fill(() => "<b>\n\n")],
  ["raw HTML in one line", fill(() => "<b>")],
  ["refused links in one paragraph", fill(() => "[a](javascript:b)\n")],
  ["percent escapes in an address", `[a](${fill(() => "%6a")})`],
  ["empty columns", `${"|a".repeat(300)}|\n${"|-".repeat(300)}|\n${fill(() => "|\n")}`],
  ["bare addresses", fill(() => "http://a.b ")],
].map(([name = "", text = ""]) => ({ name, text }));

/** Texts full of drawings, which a save checks block by block. */
export const SLOW_DRAWINGS: readonly SlowText[] = [
  { name: "20 charts", text: fence("chart", writeChartOf(44)).repeat(20) },
  { name: "a chart of 500 rows", text: fence("chart", writeChartOf(500)) },
  { name: "20 charts that are no JSON", text: fence("chart", "[".repeat(4_900)).repeat(20) },
  {
    name: "20 charts of deep JSON",
    text: fence("chart", `${'{"a":'.repeat(900)}1${"}".repeat(400)}`).repeat(20),
  },
  { name: "20 full flowcharts", text: fence("mermaid", writeGraph(50, 100)).repeat(20) },
  {
    name: "20 flowcharts of open tags",
    text: fence("mermaid", `flowchart TD\n${'A["<b '.repeat(800)}`).repeat(20),
  },
  {
    name: "a flowchart of 16,000 arrows",
    text: fence("mermaid", `flowchart TD\nA${" --> A".repeat(16_000)}`),
  },
  {
    name: "a flowchart of one long label",
    text: fence("mermaid", `flowchart TD\nA["${"w ".repeat(49_000)}"]`),
  },
];

function fence(word: string, source: string): string {
  return `\`\`\`${word}\n${source}\n\`\`\`\n`;
}

function writeChartOf(count: number): string {
  const rows = times(count, (index) => ({
    a: `${index} ${LONG.slice(0, 60)}`,
    b: noise(1, index),
    c: `g${index % 8}`,
  }));
  const { source } = writeChart("slow", { mark: "bar", x: ["a", "nominal"], y: ["b"], color: ["c"], rows });
  return JSON.stringify(JSON.parse(source));
}

function writeGraph(nodes: number, connections: number): string {
  const lines = times(nodes, (index) => `n${index}["Step ${index}"]`);
  const joined = times(
    connections,
    (index) => `n${index % nodes} -->|to ${index}| n${(index * 7 + 3) % nodes}`,
  );
  return ["flowchart TD", ...lines, ...joined].join("\n");
}

/** Texts of as many parts as fit, some of a kind alone and some of kinds that random numbers choose. */
export function writeDenseTexts(random: () => number, count: number): SlowText[] {
  const alone = DENSE.map((piece) => ({ name: `many ${JSON.stringify(piece)}`, text: fill(() => piece) }));
  const mixed = Array.from({ length: count }, (_, index) => {
    const pieces = DENSE.filter(() => random() < 0.3);
    return { name: `mix ${index}`, text: fill((at) => pieces[at % pieces.length] ?? "- ") };
  });
  return [...alone, ...mixed];
}

const DENSE = [
  ...["- a\n", "-\n", "1. a\n", "- [ ] a\n", "> a\n\n", "a\n\n", "# a\n", "***\n", "~~~\n", "    a\n\n"],
  ...["|a|b|\n|-|-|\n|1|\n\n", "[a](b)", "[^1]", "[^1]: a\n", "<http://a.b>", "www.a.b ", "*a* ", "~~a~~ "],
  ...["`a` ", "\\*", "&amp;", "a  \n", "水位", "ระดับน้ำ", "🌊 ", "e\u0301 ", "bst_", "1 "],
];

/** Texts that hold nearly as many parts as a text may, and are saved and shown. */
export const FULL_TEXTS: readonly SlowText[] = [
  { name: "nearly too many links", text: "[a](b) ".repeat(14_000) },
  { name: "nearly too many items", text: "- abcd\n".repeat(14_000) },
  { name: "nearly too many cells", text: `|a|b|\n|-|-|\n${"|1|2|\n".repeat(9_900)}` },
  { name: "nearly too many footnote marks", text: `${"[^a] ".repeat(19_900)}\n\n[^a]: b` },
];
