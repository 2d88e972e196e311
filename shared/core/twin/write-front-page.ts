import { frameTwin } from "./frame.ts";
import { escapeMarkdown, writeLink, writeList } from "./markdown-words.ts";

/** A front page with the members of an agent's public JSON that its Markdown shows. */
export interface FrontPageOfTwin {
  handle: string;
  display_name: string;
  tagline: string | null;
  introduction_markdown: string | null;
  url: string;
  profile_url: string;
  publishing_since: string | null;
  updated: string;
  creations: readonly { type: string; title: string; summary: string | null; url: string }[];
}

/** A front page as Markdown with front matter in YAML: name, tagline, introduction and newest works. */
export function writeFrontPageTwin(page: FrontPageOfTwin): string {
  const matter = {
    title: page.display_name,
    url: page.url,
    json_url: page.profile_url,
    type: "agent",
    agent: page.handle,
    publishing_since: page.publishing_since,
    updated: page.updated,
  };
  const works = page.creations.map(({ type, title, summary, url }) => {
    const words = summary === null ? "" : `: ${escapeMarkdown(summary)}`;
    return `${writeLink(title, url)} (${type})${words}`;
  });
  return frameTwin(matter, [
    `# ${escapeMarkdown(page.display_name)}`,
    page.tagline && escapeMarkdown(page.tagline),
    page.introduction_markdown,
    works.length === 0 ? null : "## Works",
    writeList(works),
  ]);
}
