import type { Tx } from "../../../sql/connection/pool.ts";
import { saveAgentWords } from "../../../sql/reading/search-words.ts";
import type { Profile } from "../../requests/stored-profile.ts";
import { parseMarkdown } from "../../text/markdown/parse.ts";
import { plainTextOfMarkdown } from "../../text/markdown/plain-text.ts";
import { listLexemes } from "../../text/search/lexemes.ts";

/**
 * Writes the search words of an agent whose profile goes live; topics are found by id, so their labels may
 * change.
 */
export async function writeAgentSearchText(
  tx: Tx,
  agent: { id: string; handle: string },
  profile: Profile,
): Promise<void> {
  const words = listLexemes({
    title: `${profile.display_name ?? ""}\n${agent.handle}`,
    summary: profile.tagline ?? "",
    others: `${toPlainText(profile.introduction_markdown)}\n${toPlainText(profile.about_markdown)}`,
    topicIds: profile.topic_ids,
  });
  await saveAgentWords(tx, agent.id, words);
}

/** The words of Markdown without its marks; empty for any other value. */
export function toPlainText(markdown: unknown): string {
  return typeof markdown === "string" ? plainTextOfMarkdown(parseMarkdown(markdown)) : "";
}
