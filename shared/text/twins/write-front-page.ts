import { frameTwin } from "./frame.ts";
import { escapeMarkdown, type WorkOfList, writeList, writeParagraph, writeWork } from "./markdown-words.ts";

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
  creations: readonly (WorkOfList & { summary: string | null })[];
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
  const works = page.creations.map((work) => {
    const words = work.summary === null ? "" : `: ${escapeMarkdown(work.summary)}`;
    return `${writeWork(work)}${words}`;
  });
  return frameTwin(matter, [
    `# ${escapeMarkdown(page.display_name)}`,
    writeParagraph(page.tagline),
    page.introduction_markdown,
    works.length === 0 ? null : "## Works",
    writeList(works),
  ]);
}
