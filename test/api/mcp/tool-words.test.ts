import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { describeTool } from "../../../api/mcp/tool.ts";
import { toToolWords } from "../../../api/mcp/tool-words.ts";
import { TOOLS } from "../../../api/mcp/tools.ts";
import { WORDS_OF_REQUESTS } from "../../support/words-of-requests.ts";

test("no tool speaks of requests, but the one that makes an address", () => {
  const speaking = TOOLS.filter((tool) => WORDS_OF_REQUESTS.test(JSON.stringify(describeTool(tool))));
  expect(speaking.map(({ name }) => name)).toEqual(["create_upload"]);
});

/** The rooms whose refusals reach tools; what they say of the header of a table is of no request. */
const ROOMS =
  "{shared/{datasets,identity/writes,reading,requests,tables,trust/events,works}/**/,api/http/hooks/text-check}*.ts";
const OF_TABLES = /\b(?:[Hh]eader|header rows?)\b/g;
/** Sentences of what no tool does: to wait for an event, to send bytes. */
const OTHERS = ["wait-for-events.ts", "sent-part.ts", "upload-addresses.ts", "receive-upload.ts"];

/** The sentences that stand in a file. */
function* listSentences(path: string): Generator<string> {
  const code = readFileSync(path, "utf8").replace(/\/\*[\s\S]*?\*\//g, "");
  for (const [, , text = ""] of code.matchAll(/(["'`])((?:(?!\1)[^\\\n]|\\.)*[.!])\1/g))
    if (text.includes(" ")) yield text;
}

const saysToolTwice = (text: string) =>
  TOOLS.some(({ name }) => name.includes("_") && text.split(name).length > 2);

test("no refusal says to tools what senders of requests do", () => {
  const spoken: string[] = [];
  let count = 0;
  for (const path of globSync(ROOMS).filter((file) => !OTHERS.some((name) => file.endsWith(name)))) {
    for (const sentence of listSentences(path)) {
      count++;
      const told = toToolWords(sentence);
      const text = path.startsWith("shared/tables") ? told.replace(OF_TABLES, "") : told;
      if (WORDS_OF_REQUESTS.test(text) || saysToolTwice(text)) spoken.push(`${path}: ${told}`);
    }
  }
  expect(count).toBeGreaterThan(500);
  expect(spoken).toEqual([]);
});
