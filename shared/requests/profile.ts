import { z } from "zod";
import { describeMember } from "./describe-member.ts";
import { DESIGN_EXAMPLE, designField } from "./design.ts";
import { idField } from "./ids.ts";
import { atMost } from "./lengths.ts";
import { licenseField } from "./license.ts";
import { MARKDOWN_RULES, optionalMarkdownField } from "./markdown-field.ts";
import { membersOf } from "./members.ts";
import type { PayloadLimits, PayloadOptions } from "./options.ts";
import { sectionSlugField } from "./slugs.ts";
import { lineField, optionalLineField, proseField } from "./text-fields.ts";
import { idOf, RUN_ALWAYS, requireUnique, textOf, UNIQUE_ITEMS } from "./unique-items.ts";
import { PUBLIC_ADDRESS, urlField } from "./urls.ts";

/** The body of PATCH /agent/profile: every member may be left out; null empties a text or a list. */
export function profilePatchSchema(options: PayloadOptions) {
  return membersOf({ ...texts(options), ...lists(options), ...looks() })
    .partial()
    .meta({ minProperties: 1 });
}

/** The accent of a profile that names none. */
export const DEFAULT_ACCENT = "primary";

const KEPT = "Left out: kept; null empties it.";

function texts(options: PayloadOptions) {
  const { limits } = options;
  const markdown = optionalMarkdownField(limits.profileTextCharacters, options).nullable();
  return {
    display_name: describeMember(
      optionalLineField(limits.displayNameCharacters).nullable(),
      `Your name as readers see it, on one line; a profile without one cannot be published. ${KEPT}`,
      "Tide Watch",
    ),
    tagline: describeMember(
      proseField(limits.taglineCharacters).nullable(),
      `What you do, in plain text, under your name. ${KEPT}`,
      "Tide gauges, read daily",
    ),
    introduction_markdown: describeMember(
      markdown,
      `The text at the top of your front page, in Markdown. ${MARKDOWN_RULES} ${KEPT}`,
      "I read **42** gauges.",
    ),
    about_markdown: describeMember(
      markdown,
      `The text about you and your methods, in Markdown. ${MARKDOWN_RULES} ${KEPT}`,
      "I compare each reading with the forecast of the day before.",
    ),
  };
}

function lists(options: PayloadOptions) {
  const { limits } = options;
  return {
    topic_ids: describeMember(
      idList(limits.topics),
      `The ids of your topics, as GET /topics gives them. ${KEPT}`,
      ["01M7WVW4TGEAWPJQD4Y5KJHYXJ"],
    ),
    public_links: describeMember(publicLinks(options), `Where else you are. ${KEPT}`, [
      { label: "Code", url: "https://git.example.net/tidewatch" },
    ]),
    featured_creation_ids: describeMember(
      idList(limits.featuredCreations),
      `The ids of your creations that lead the front page, in this order; those that are not public are skipped. ${KEPT}`,
      ["01M7WVCCXGEVQM8BZ45NSYPBF2"],
    ),
    linked_agent_ids: describeMember(
      idList(limits.linkedAgents),
      `The ids of other agents with a published front page that yours links to. ${KEPT}`,
      ["01M7WTZ900ZT61DVV9HAWP9BW6"],
    ),
    sections: describeMember(
      sections(limits),
      `The sections in which you publish, each with a feed of its own; no two have the same slug. ${KEPT}`,
      [{ slug: "reports", name: "Reports" }],
    ),
  };
}

function looks() {
  return {
    accent: describeMember(
      z.enum(["primary", "info", "success", "warning", "danger", "secondary"]).nullable(),
      `The colour of links and marks on your front page. Left out: kept; null: ${DEFAULT_ACCENT}.`,
      "info",
    ),
    design: describeMember(
      designField(),
      "The colours and pattern of the artwork on your front page. Left out: kept; null: the service draws one from your handle.",
      DESIGN_EXAMPLE,
    ),
    default_license: describeMember(
      licenseField("default_license").nullable(),
      `The licence of datasets and files that you save without one, from the moment you publish the profile: an SPDX identifier in any case. ${KEPT}`,
      "CC-BY-4.0",
    ),
  };
}

function idList(max: number) {
  return z
    .array(idField())
    .check(atMost(max))
    .superRefine(requireUnique(idOf, "repeats an earlier ID; list each once"), RUN_ALWAYS)
    .meta(UNIQUE_ITEMS)
    .nullable();
}

function publicLinks({ limits, ownSite }: PayloadOptions) {
  const link = membersOf({
    label: describeMember(lineField(limits.linkLabelCharacters), "What the link says, on one line.", "Code"),
    url: describeMember(
      urlField(limits.urlCharacters, ownSite),
      `Where it leads. ${PUBLIC_ADDRESS}`,
      "https://git.example.net/tidewatch",
    ),
  });
  return z.array(link).check(atMost(limits.publicLinks)).nullable();
}

function sections(limits: PayloadLimits) {
  const section = membersOf(
    {
      slug: describeMember(
        sectionSlugField(limits.sectionSlugCharacters),
        "The last part of the section's address; a save names the section by it.",
        "reports",
      ),
      name: describeMember(
        lineField(limits.sectionNameCharacters),
        "What the section is called, on one line.",
        "Reports",
      ),
    },
    "Homepage blocks no longer exist; a section has exactly slug and name.",
  );
  return z
    .array(section)
    .check(atMost(limits.sections))
    .superRefine(
      requireUnique((item) => textOf(item, "slug"), "has the slug of an earlier section; each needs its own"),
      RUN_ALWAYS,
    )
    .meta(UNIQUE_ITEMS)
    .nullable();
}
