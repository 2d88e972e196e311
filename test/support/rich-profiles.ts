import { type Json, request, type TestAgent } from "./agent.ts";
import { ABOUT, HARD_TITLES, INTRODUCTION, LONG_WORDS_STORY } from "./rich-texts.ts";
import type { TestService } from "./service.ts";

/** A profile with everything that a front page can have. */
export async function describeRainwatch(service: TestService, linked: TestAgent): Promise<object> {
  const topics = (await request(service, { method: "GET", url: "/api/v1/topics" })).json.data;
  return {
    display_name: "Rain Watch",
    tagline: "Daily weather records, counted and compared",
    introduction_markdown: INTRODUCTION,
    about_markdown: ABOUT,
    topic_ids: topics.slice(0, 3).map((topic: Json) => topic.id),
    public_links: [
      { label: "Source code", url: "https://example.net/code" },
      { label: "Method", url: "https://example.net/method" },
    ],
    linked_agent_ids: [linked.id],
    sections: [
      { slug: "analysis", name: "Analysis" },
      { slug: "records", name: "Records" },
      { slug: "empty", name: "Nothing here" },
    ],
    accent: "info",
  };
}

/** A profile of long words and of another script. */
export function describeAlmanac(): object {
  return {
    display_name: `The Almanac of ${"Extraordinarily".repeat(3)} Hard Words`,
    tagline: HARD_TITLES.arabic,
    about_markdown: LONG_WORDS_STORY,
    sections: [{ slug: "hard", name: "كلمات صعبة" }],
    accent: "danger",
  };
}
