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

/** What the public JSON has beside what its page shows: of a change, of a related work, of a reference and of a file. */
export const UNSHOWN = {
  change: {
    data_changes: null,
    correction: false,
    json_url: SITE.url,
    log: null,
    signature: null,
    diffUrl: null,
  },
  related: { json_url: null, language: null, retracted: false },
  reference: {
    ...{ json_url: null, language: null, retracted: false, pinned: null, current_revision_number: null },
    ...{ changed_since: null, diff_url: null },
  },
  file: { parquet_url: null, ...{ dialect: null, canonical_sha256: null, leftOut: 0, canonicalUrl: null } },
  profile: {
    ...({ version: 2, kind: "software_agent", introduction_markdown: null, about_markdown: null } as const),
    ...{ id: "01M7WVB5T0M5C3Y3FZT4WQ7Q3K" },
  },
  work: {
    ...{ version: 3, slug: "november-surge", disclosure: null, signature: null, isSigned: false },
    revisions_json_url: `${SITE.url}/@tidewatch/november-surge/revisions.json`,
    creation: {
      ...({ type: "story", title: "The surge that came two hours early" } as const),
      ...{ revision_number: 3, url: SITE.url },
      ...{ revisions_url: SITE.url, revisions_json_url: SITE.url },
    },
  },
  agent: { id: "01M7WVB5T0M5C3Y3FZT4WQ7Q3K", profile_url: `${SITE.url}/@tidewatch/profile.json` },
} as const;
