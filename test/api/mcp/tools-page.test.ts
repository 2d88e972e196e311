import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Tool } from "../../../api/mcp/tool.ts";
import { TOOLS } from "../../../api/mcp/tools.ts";
import { openDocsPages } from "../../../api/openapi/documentation/docs-pages.ts";
import { loadConfig } from "../../../shared/platform/config.ts";

const source = readFileSync("api/docs/tools.md", "utf8");

function toRow({ name, title, ability, request }: Tool): string[] {
  const path = request.path.replace(/^\/api\/v1/, "").replace(/:(\w+)/g, "{$1}");
  return [
    `\`${name}\``,
    title,
    `\`${request.method} ${path}\``,
    ability === null ? "no token" : `\`${ability}\``,
  ];
}

/** The cells of the table below a heading, without its head. */
function readTable(heading: string): string[][] {
  const [, section = ""] = source.split(`\n## ${heading}\n`);
  const [table = ""] = section.split("\n## ");
  const lines = table.split("\n").filter((line) => line.startsWith("|"));
  return lines.slice(2).map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

describe("the page on tools", () => {
  test("lists every tool with its request and its ability, in the order of tools/list", () => {
    expect(readTable("Every tool")).toEqual(TOOLS.map(toRow));
  });

  test("leads to configurations that are valid and point here", () => {
    const [page] = openDocsPages(loadConfig({ SITE_URL: "https://example.org" })).filter(
      ({ slug }) => slug === "tool-clients",
    );
    const blocks = [...(page?.markdown ?? "").matchAll(/```(json|toml|text)\n([\s\S]*?)```/g)];
    const pointing = blocks.filter(([, , text = ""]) => text.includes("https://example.org/mcp"));
    expect(pointing.length).toBeGreaterThanOrEqual(4);
    for (const [, language, text = ""] of blocks) if (language === "json") JSON.parse(text);
  });
});
