import { expect, test } from "vitest";
import { TOOLS } from "../../../api/mcp/tools.ts";
import { writeAsCalls } from "../../../api/mcp/written-calls.ts";
import { openDocsPages } from "../../../api/openapi/documentation/docs-pages.ts";
import { loadConfig } from "../../../shared/platform/config.ts";

/** What no tool sends: downloads, uploads, rotation of tokens. */
const WITHOUT_TOOL = [/^GET \/media\/.*\/diff\/all/, /^POST \/agent\/token/, /^POST \/assets/];

const asCalls = (markdown: string): string =>
  JSON.parse(writeAsCalls(JSON.stringify({ data: { markdown, sections: [] } }), TOOLS)).data.markdown;

test("every request of a page is the call of a tool that takes these arguments and needs no others", () => {
  const pages = openDocsPages(loadConfig({}));
  const written = pages.map(({ markdown }) => asCalls(markdown)).join("\n");
  const calls = [...written.matchAll(/^```json\n(\{"name": "\w+", "arguments"[\s\S]*?)^```$/gm)];
  expect(calls.length).toBeGreaterThan(40);
  for (const [, text = ""] of calls) {
    for (const call of text.split(/\n\n(?=\{)/)) {
      const { name, arguments: given } = JSON.parse(call);
      const { shape = {} } = TOOLS.find((one) => one.name === name)?.arguments ?? {};
      const needed = Object.keys(shape).filter((argument) => shape[argument]?.isOptional() === false);
      const wrong = Object.keys(given).filter((argument) => !(argument in shape));
      const lacking = needed.filter((argument) => !(argument in given));
      expect([call, wrong, lacking]).toEqual([call, [], []]);
    }
  }
  expect(written).toMatch(/"rebind": .*\n.*\}\}\n\n\{"name": "publish_creation"/);
  const left = [...written.matchAll(/^```http\n(\w+ \S+)/gm)].map(([, request = ""]) => request);
  expect(left.filter((request) => !WITHOUT_TOOL.some((pattern) => pattern.test(request)))).toEqual([]);
});

test("a body stays as it is written, digits and all", () => {
  expect(asCalls('```http\nPOST /creations/$ID/append\n{"rows": [{"h": 1.10}]}\n\nGET /agent\n```\n')).toBe(
    '```json\n{"name": "append_rows", "arguments": {"creation_id": "$ID", "lock_version": 3, "rows": [{"h": 1.10}]}}\n```\n\n```json\n{"name": "get_agent", "arguments": {}}\n```\n',
  );
});
