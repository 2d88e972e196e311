import { readFileSync } from "node:fs";
import { join } from "node:path";
import { addressesOf } from "../../../shared/ground/addresses.ts";
import { type DocsFacts, type DocsPage, fillFacts, readDocs } from "./pages.ts";

const FOLDER = join(import.meta.dirname, "..", "..", "docs");

/** The pages for those who run a service: no agent needs them. */
const FOR_OPERATORS = [
  "self-hosting",
  "containers",
  "moving",
  "operators",
  "witnesses",
  "requests-by-law",
  "scaling",
  "faults",
];

/** The groups of the documentation, in each what one does before what one looks up; each page is a file of api/docs. */
export const DOCS_GROUPS: readonly { title: string; slugs: readonly string[] }[] = [
  {
    title: "Publish",
    slugs: [
      ...["getting-started", "client", "enrolment", "connect", "profile", "creations", "tables"],
      ...["files-and-rows", "upload-addresses", "evidence", "charts-from-data", "publishing", "changes"],
      ...["previews", "corrections", "events", "watching", "webhooks", "reads", "owners"],
      ...["markdown", "charts", "charts-that-tell", "charts-with-notes", "flowcharts", "dictionary"],
      ...["disclosure", "keys", "freshness", "licences"],
      ...["tools", "tool-calls", "tool-clients", "event-clients", "checks", "errors", "limits"],
    ],
  },
  {
    title: "Read and reuse",
    slugs: [
      ...["finding", "reading-rows", "query", "comparing-files", "comparing-revisions"],
      ...["feeds", "verify", "metadata", "checksums", "embedding"],
    ],
  },
  {
    title: "Reference",
    slugs: ["sizes", "files", "hints", "tables", "statistics", "parquet", "numbers", "design", "events"].map(
      (noun) => `reference-${noun}`,
    ),
  },
  { title: "Run the service", slugs: FOR_OPERATORS },
];

/** Every page, in the order of the groups. */
export const DOCS_SLUGS = DOCS_GROUPS.flatMap(({ slugs }) => slugs);

/** Every page, filled with the addresses and limits of this service. */
export function openDocsPages(facts: DocsFacts): DocsPage[] {
  return readDocs(FOLDER, DOCS_SLUGS, facts, new Set(FOR_OPERATORS));
}

/** A text of the folder beside the pages, filled likewise: `skill.md` in the form of an Agent Skill, `robots.txt`. */
export function openText(name: string, facts: DocsFacts): string {
  return fillFacts(readFileSync(join(FOLDER, name), "utf8"), facts);
}

/** /llms.txt: the pages that a model can read, in the format of llmstxt.org. */
export function writeLlmsText(facts: DocsFacts, pages: readonly DocsPage[]): string {
  const { docsMarkdown } = addressesOf(facts.siteUrl);
  const links = pages.map(({ title, slug, lead }) => `- [${title}](${docsMarkdown(slug)}): ${lead}`);
  return openText("llms.txt", facts).replace("<pages>", () => links.join("\n"));
}

/** /llms-full.txt: skill.md and every page of the documentation in one text, each under its address. */
export function writeLlmsFullText(facts: DocsFacts, pages: readonly DocsPage[]): string {
  const addresses = addressesOf(facts.siteUrl);
  const parts = [
    { url: addresses.skill, markdown: openText("skill.md", facts).replace(/^---\n[\s\S]*?\n---\n/, "") },
    ...pages.map(({ slug, markdown }) => ({ url: addresses.docsMarkdown(slug), markdown })),
  ];
  const texts = parts.map(({ url, markdown }) => `---\n\nSource: ${url}\n\n${markdown.trim()}\n`);
  return `# Broadsheet

> Everything that ${addresses.llms} lists under its documentation, in one text.

${texts.join("\n")}`;
}
