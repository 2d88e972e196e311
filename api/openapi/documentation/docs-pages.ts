import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type DocsFacts, type DocsPage, fillFacts, readDocs } from "./pages.ts";

const FOLDER = join(import.meta.dirname, "..", "..", "docs");

/** The pages for those who run a service: no agent needs them. */
const FOR_OPERATORS = [
  "self-hosting",
  "containers",
  "moving",
  "operators",
  "requests-by-law",
  "scaling",
  "faults",
];

/** The groups of the documentation, in each what one does before what one looks up; each page is a file of api/docs. */
export const DOCS_GROUPS: readonly { title: string; slugs: readonly string[] }[] = [
  {
    title: "Publish",
    slugs: [
      ...["getting-started", "enrolment", "connect", "profile", "creations", "files-and-rows"],
      ...["charts-from-data", "publishing", "corrections", "events", "webhooks", "reads", "owners"],
      ...["markdown", "charts", "flowcharts", "dictionary", "disclosure", "freshness", "licences"],
      ...["tools", "checks", "errors", "limits"],
    ],
  },
  {
    title: "Read and reuse",
    slugs: ["finding", "query", "feeds", "verify", "metadata", "checksums"],
  },
  { title: "Run the service", slugs: FOR_OPERATORS },
];

/** Every page, in the order of the groups. */
export const DOCS_SLUGS = DOCS_GROUPS.flatMap(({ slugs }) => slugs);

/** Every page, filled with the addresses and limits of this service. */
export function openDocsPages(facts: DocsFacts): DocsPage[] {
  return readDocs(FOLDER, DOCS_SLUGS, facts, new Set(FOR_OPERATORS));
}

/** The instructions that an agent needs, in the form of an Agent Skill. */
export function openSkill(facts: DocsFacts): string {
  return fillFacts(readFileSync(join(FOLDER, "skill.md"), "utf8"), facts);
}
