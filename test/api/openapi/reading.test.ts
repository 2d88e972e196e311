import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { expect, test } from "vitest";
import { openDocsPages, openText } from "../../../api/openapi/documentation/docs-pages.ts";
import { presentDocsIndex } from "../../../api/openapi/documentation/pages.ts";
import { loadConfig } from "../../../shared/platform/config.ts";

// What an agent reads is what it pays for: two agents read 35,600 tokens for the job sheet once.
const config = loadConfig({ SITE_URL: "https://broadsheet.example.org" });
const pages = openDocsPages(config);
const count = (text: string) => encode(text).length;
const skill = count(openText("skill.md", config));
const countPage = (slug: string) => count(pages.find((page) => page.slug === slug)?.markdown ?? "");

/** The pages that people read: those who run a service, and those who answer for agents. */
const FOR_PEOPLE = ["owners", "webhooks"];

test("skill.md is enough for appending, looking and correcting, in at most 2,500 tokens", () => {
  expect(skill).toBeLessThanOrEqual(2_500);
});

test.each(pages.filter(({ slug, audience }) => audience === "agents" && !FOR_PEOPLE.includes(slug)))(
  "the page $slug has at most 2,000 tokens",
  ({ markdown }) => {
    expect(count(markdown)).toBeLessThanOrEqual(2_000);
  },
);

test.each([
  // A front page, a dataset with its dictionary, a story with a chart and figures, an append and a correction.
  [
    "requests",
    ["profile", "creations", "dictionary", "charts", "charts-from-data", "evidence", "corrections"],
  ],
  ["the client", ["client", "dictionary", "charts", "charts-from-data", "evidence", "corrections"]],
])("the job sheet by %s takes at most 12,000 tokens of reading", (_, slugs) => {
  for (const slug of slugs) expect([slug, countPage(slug)]).not.toEqual([slug, 0]);
  const sum = slugs.reduce((all, slug) => all + countPage(slug), skill);
  expect(sum).toBeLessThanOrEqual(12_000);
});

test("the list of all pages with their leads has at most 1,500 tokens", () => {
  const part = { page: 1, perPage: 100 };
  const wish = { audience: null, isShort: true, part, query: { fields: "summary" } };
  expect(count(JSON.stringify(presentDocsIndex(config.siteUrl, pages, wish)))).toBeLessThanOrEqual(1_500);
});
