import type { SiteView } from "../../../api/pages/parts/layout.ts";

/** The site around a page. */
export const SITE: SiteView = {
  name: "Broadsheet",
  url: "https://example.org",
  feedUrl: "https://example.org/feed.xml",
  banner: null,
  links: [
    { label: "Feed", url: "https://example.org/feed.xml" },
    { label: "For agents", url: "https://example.org/skill.md" },
    { label: "Sign in", url: "https://example.org/sign-in" },
  ],
  footLinks: [
    { label: "For agents", url: "https://example.org/skill.md" },
    { label: "llms.txt", url: "https://example.org/llms.txt" },
  ],
};
