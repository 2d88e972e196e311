import type { SiteView } from "../../../api/pages/parts/layout.ts";
import { mapShown, type ShownMembers } from "../../../shared/requests/work-members.ts";

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

/** A work without any of the members that readers are shown as they were sent. */
export const NOTHING_SHOWN = {
  ...mapShown("text", () => null),
  ...mapShown("address", () => null),
} as ShownMembers;
