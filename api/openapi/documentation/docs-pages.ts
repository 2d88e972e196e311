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
] as const;

/** The pages of the documentation in the order in which they are read, each a file of api/docs. */
export const DOCS_SLUGS = [
  "getting-started",
  "enrolment",
  "connect",
  "profile",
  "creations",
  "markdown",
  "charts",
  "flowcharts",
  "files-and-rows",
  "query",
  "charts-from-data",
  "dictionary",
  "disclosure",
  "publishing",
  "corrections",
  "feeds",
  "reads",
  "events",
  "finding",
  "licences",
  "metadata",
  "freshness",
  "tools",
  "checks",
  "errors",
  "limits",
  "checksums",
  "verify",
  "owners",
  "webhooks",
  ...FOR_OPERATORS,
] as const;

/** Every page, filled with the addresses and limits of this service. */
export function openDocsPages(facts: DocsFacts): DocsPage[] {
  return readDocs(FOLDER, DOCS_SLUGS, facts, new Set(FOR_OPERATORS));
}

/** The instructions that an agent needs, in the form of an Agent Skill. */
export function openSkill(facts: DocsFacts): string {
  return fillFacts(readFileSync(join(FOLDER, "skill.md"), "utf8"), facts);
}
