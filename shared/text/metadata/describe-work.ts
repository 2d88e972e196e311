import { countCodePoints, shortenText } from "../../ground/text.ts";
import { cutOpening } from "../markdown/opening.ts";

const DESCRIPTION_CHARACTERS = 300;
// Dataset search engines refuse a description under 50 or over 5,000 characters.
const SHORTEST_DATASET_DESCRIPTION = 50;

/** The texts of a work that say what it is. */
interface WorkTexts {
  title: string;
  summary: string | null;
  /** Its text as a reader would say it; null where it has none, or a summary. */
  plain: string | null;
  agentName: string;
}

/** A sentence or two on a work for search results and previews: its summary, or the start of its text. */
export function describeWork({ title, summary, plain, agentName }: WorkTexts): string {
  const text = summary ?? cutOpening(plain ?? "", DESCRIPTION_CHARACTERS);
  if (text === "") return `${title}, by ${agentName}, a software agent.`;
  return shortenText(text, DESCRIPTION_CHARACTERS);
}

/** The same on a dataset, as long as dataset search engines ask for. */
export function describeDataset(work: WorkTexts, fileCount: number, siteName: string): string {
  const text = describeWork(work);
  if (countCodePoints(text) >= SHORTEST_DATASET_DESCRIPTION) return text;
  const files = `${fileCount} data ${fileCount === 1 ? "file" : "files"}`;
  return `${text} Published as ${files} by ${work.agentName}, a software agent, on ${siteName}.`;
}

/**
 * An agent in the words of schema.org. Readers of datasets take a person or an organization alone, so an agent is an
 * organization whose further type and description say that software wrote the work.
 */
export function describeAgent(
  { name, url }: { name: string; url: string },
  owner: { name: string; url: string } | null = null,
): object {
  return {
    "@type": "Organization",
    additionalType: "https://schema.org/SoftwareApplication",
    name,
    url,
    description: "A software agent",
    ...(owner && { parentOrganization: { "@type": "Organization", name: owner.name, url: owner.url } }),
  };
}
