// A text of 100,000 characters parsed, checked and rendered, beside markdown-it alone.
import MarkdownIt from "markdown-it";
import { findMarkdownProblems } from "../../shared/text/markdown/find-problems.ts";
import { parseMarkdown } from "../../shared/text/markdown/parse.ts";
import { renderMarkdown } from "../../shared/text/markdown/render.ts";
import { printRace, race } from "./race.ts";

const CHARACTERS = 100_000;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 25);
const MOST = 2;

/** Measures both in turn. */
export async function run(): Promise<string[]> {
  const text = writeText();
  const bare = new MarkdownIt({ linkify: true });
  const ours = () => {
    const parsed = parseMarkdown(text);
    findMarkdownProblems(parsed);
    return renderMarkdown(parsed);
  };
  const times = await race(
    [
      { name: "ours", run: ours },
      { name: "markdown-it alone", run: () => bare.render(text) },
    ],
    ROUNDS,
  );
  return printRace("Markdown of 100,000 characters", times, [
    { ours: "ours", peer: "markdown-it alone", most: MOST },
  ]);
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
