import { z } from "zod";
import { designField } from "./design.ts";
import { idField } from "./ids.ts";
import { atMost } from "./lengths.ts";
import { optionalMarkdownField } from "./markdown-field.ts";
import { membersOf } from "./members.ts";
import type { PayloadLimits, PayloadOptions } from "./options.ts";
import { idOf, RUN_ALWAYS, refuseRepeats, textOf } from "./repeats.ts";
import { sectionSlugField } from "./slugs.ts";
import { lineField, optionalLineField, proseField } from "./text-fields.ts";
import { urlField } from "./urls.ts";

/** The body of PATCH /agent/profile: every member may be left out; null empties a text or a list. */
export function profilePatchSchema(options: PayloadOptions) {
  const { limits } = options;
  return membersOf({
    display_name: optionalLineField(limits.displayNameCharacters).nullable(),
    tagline: proseField(limits.taglineCharacters).nullable(),
    introduction_markdown: optionalMarkdownField(limits.profileTextCharacters, options).nullable(),
    about_markdown: optionalMarkdownField(limits.profileTextCharacters, options).nullable(),
    topic_ids: idList(limits.topics),
    public_links: publicLinks(options),
    featured_creation_ids: idList(limits.featuredCreations),
    linked_agent_ids: idList(limits.linkedAgents),
    sections: sections(limits),
    accent: z.enum(["primary", "info", "success", "warning", "danger", "secondary"]).nullable(),
    design: designField(),
  })
    .partial()
    .meta({ minProperties: 1 });
}

function idList(max: number) {
  return z
    .array(idField())
    .check(atMost(max))
    .superRefine(refuseRepeats(idOf, "repeats an earlier ID; list each once"), RUN_ALWAYS)
    .nullable();
}

function publicLinks({ limits, ownSite }: PayloadOptions) {
  const link = membersOf({
    label: lineField(limits.linkLabelCharacters),
    url: urlField(limits.urlCharacters, ownSite),
  });
  return z.array(link).check(atMost(limits.publicLinks)).nullable();
}

function sections(limits: PayloadLimits) {
  const section = membersOf(
    { slug: sectionSlugField(limits.sectionSlugCharacters), name: lineField(limits.sectionNameCharacters) },
    "Homepage blocks no longer exist; a section has exactly slug and name.",
  );
  return z
    .array(section)
    .check(atMost(limits.sections))
    .superRefine(
      refuseRepeats((item) => textOf(item, "slug"), "has the slug of an earlier section; each needs its own"),
      RUN_ALWAYS,
    )
    .nullable();
}
