import { z } from "zod";
import { UPDATE_FREQUENCIES } from "../text/freshness/frequencies.ts";
import { attachmentsField, tableAttachmentsField } from "./attachments.ts";
import { CREATION_TYPES, type CreationType } from "./creation-types.ts";
import { describeMember } from "./describe-member.ts";
import { DESIGN_EXAMPLE, designField } from "./design.ts";
import { entriesField } from "./entries.ts";
import { figuresField } from "./figures.ts";
import { optionalLicenseField } from "./license.ts";
import { markdownField } from "./markdown-field.ts";
import { DEFAULT_PAYLOAD_LIMITS as BOUNDS, type PayloadOptions } from "./options.ts";
import { optionalReferencesField, referencesField } from "./references.ts";
import { sourcesField } from "./sources.ts";
import { optionalLineField, proseField, titleField } from "./text-fields.ts";
import type { ToolWords } from "./tool-form.ts";
import { PUBLIC_ADDRESS, urlField } from "./urls.ts";

/**
 * One member of a payload, said once. Reading a body and its refusals, the OpenAPI document, tools, the public JSON, the
 * Markdown of a page, the comparison of revisions and the search take it from here; only the page's template is by hand.
 */
interface WorkMember {
  /** The types of work that have it. */
  types: readonly CreationType[];
  /** What a body is read by, with its sentence and its example. */
  schema(options: PayloadOptions, type: CreationType): z.ZodType;
  /** Whether a blank text counts as left out. */
  blankIsNone?: true;
  /** What tools say of it, in fewer words. */
  tool: ToolWords;
  /** How readers are shown it: in the public JSON under its name, null where there is none; left out where it has a form of its own. */
  shown?: ShownAs;
  /** Where the Markdown of the page has it: above the text, or in the list under it with this label. */
  twin?: "above" | { label: string };
  /** Its name where two revisions are compared. */
  compared?: string;
  /** The weight of its words in the search, where they count. */
  searched?: "summary" | "text";
}

const TITLED = ["story", "dataset", "collection", "external_project", "file"] as const;

/** The entry, with its own types. */
function member<const Member extends WorkMember>(entry: Member): Member {
  return entry;
}

/** Every member of every payload, in the order in which they are emitted. */
export const WORK_MEMBERS = {
  title: member({
    types: TITLED,
    schema: ({ limits }) => titleField(limits.titleCharacters),
    tool: { about: "Required; not for a brief.", characters: BOUNDS.titleCharacters },
    compared: "Title",
  }),
  body_markdown: member({
    types: ["story", "brief"],
    schema: (options, type) =>
      markdownField(options.limits[type === "brief" ? "briefCharacters" : "bodyCharacters"], options),
    tool: {
      about: `For a story, or a brief (up to ${BOUNDS.briefCharacters} characters). No raw HTML or images. Fenced \`chart\` and \`mermaid\` blocks are drawn: read_doc charts, flowcharts first.`,
      characters: BOUNDS.bodyCharacters,
    },
    shown: "text",
  }),
  attachments: member({
    types: ["dataset", "file"],
    schema: ({ limits }, type) =>
      type === "dataset" ? tableAttachmentsField(limits) : attachmentsField(limits),
    tool: {
      about: "For a dataset (CSV, JSON) or a file (TXT, Markdown).",
      members: {
        asset_id: "data.id of your ready upload.",
        label: "Its name on the page.",
        notes: "Units, time zone, gaps.",
        dictionary: "Columns of a dataset: read_doc dictionary.",
      },
      open: ["dictionary"],
    },
  }),
  show_preview: member({
    types: ["dataset"],
    schema: () =>
      describeMember(
        z.boolean().default(true),
        "Whether the page shows the first rows of each table. Left out: true.",
        true,
      ),
    tool: { about: "Of a dataset: show rows." },
  }),
  entries: member({
    types: ["collection"],
    schema: ({ limits }) => entriesField(limits),
    tool: { about: "For a collection: ids of your creations, none a collection." },
  }),
  external_url: member({
    types: ["external_project"],
    schema: ({ limits, ownSite }) =>
      describeMember(
        urlField(limits.urlCharacters, ownSite),
        `Where the project is. ${PUBLIC_ADDRESS}`,
        "https://maps.example.net/surge",
      ),
    tool: { about: "For an external_project: an https address." },
    shown: "address",
    twin: { label: "Page" },
    compared: "Address of the project",
  }),
  destination_label: member({
    types: ["external_project"],
    schema: ({ limits }) =>
      describeMember(
        optionalLineField(limits.destinationLabelCharacters).nullable().default(null),
        "The name of where it leads, on one line. Left out: none.",
        "Surge map",
      ),
    tool: { about: "Name of where it leads." },
    compared: "Name of the destination",
  }),
  repository_url: member({
    types: ["external_project"],
    schema: ({ limits, ownSite }) =>
      describeMember(
        urlField(limits.urlCharacters, ownSite).nullable().default(null),
        `Where its source code is. ${PUBLIC_ADDRESS} Left out: none.`,
        "https://git.example.net/tidewatch/surge-map",
      ),
    tool: { about: "An https address." },
    shown: "address",
    twin: { label: "Source code" },
    compared: "Source code",
  }),
  summary: member({
    types: TITLED,
    schema: ({ limits }) =>
      describeMember(
        proseField(limits.summaryCharacters).nullable().default(null),
        "What it is about, in plain text: lists, feeds and search show it under the title. Left out: none.",
        "What 42 gauges saw.",
      ),
    tool: { characters: BOUNDS.summaryCharacters },
    shown: "text",
    twin: "above",
    compared: "Summary",
    searched: "summary",
  }),
  sources: member({
    types: CREATION_TYPES,
    schema: sourcesField,
    tool: { about: "Each url is https." },
  }),
  references: member({
    types: CREATION_TYPES,
    schema: ({ limits }, type) =>
      type === "brief" ? optionalReferencesField(limits) : referencesField(limits),
    tool: { about: "Published works, or yours, it builds on." },
  }),
  design: member({
    types: TITLED,
    schema: () =>
      describeMember(
        designField().default(null),
        "The colours and pattern of the cover. Left out or null: drawn from the design of your front page.",
        DESIGN_EXAMPLE,
      ),
    tool: {
      about: "Colours of the artwork; null: generated. Not for a brief.",
      isNullable: true,
      members: { colors: "Different #rrggbb; the first is the background." },
    },
  }),
  license: member({
    types: TITLED,
    schema: optionalLicenseField,
    blankIsNone: true,
    tool: { about: "SPDX id." },
  }),
  figures: member({
    types: ["story", "brief"],
    schema: ({ limits }) => figuresField(limits),
    tool: { open: ["figures"] },
  }),
  update_frequency: member({
    types: ["dataset"],
    schema: () =>
      describeMember(
        z.enum(UPDATE_FREQUENCIES).nullish(),
        "How often you renew the data, so that readers see whether they are due. Left out or null: not said.",
        "daily",
      ),
    blankIsNone: true,
    tool: { about: "Of a dataset." },
  }),
};

type Members = typeof WORK_MEMBERS;
export type MemberName = keyof Members;

/** The members of a type of work, by name. */
export type MembersOfType<Type extends CreationType> = {
  [Name in MemberName as Type extends Members[Name]["types"][number] ? Name : never]: ReturnType<
    Members[Name]["schema"]
  >;
};

/** What readers are shown of the members that are shown as they were sent; null where there is none. */
export type ShownMembers = {
  [Name in MemberName as Members[Name] extends { shown: ShownAs } ? Name : never]: string | null;
};

/** Every member with its name. */
export const MEMBER_ENTRIES = Object.entries(WORK_MEMBERS) as [MemberName, WorkMember][];

type ShownAs = "text" | "address";

/** The members that readers are shown as they were sent, in the order of the public JSON: what stands above the text first. */
const SHOWN = MEMBER_ENTRIES.filter(([, { shown }]) => shown !== undefined).toSorted(
  ([, left], [, right]) => Number(right.twin === "above") - Number(left.twin === "above"),
);

/** A value for each member that is shown so. */
export function mapShown<Value>(as: ShownAs, toValue: (name: string) => Value): Record<string, Value> {
  const names = SHOWN.flatMap(([name, { shown }]) => (shown === as ? [name] : []));
  return Object.fromEntries(names.map((name) => [name, toValue(name)]));
}

/** The texts that a comparison of revisions names: the title and what stands above the text first. */
export const COMPARED_TEXTS = MEMBER_ENTRIES.flatMap(([name, { compared, twin }]) =>
  compared === undefined ? [] : [{ name, label: compared, isFirst: name === "title" || twin === "above" }],
).toSorted((left, right) => Number(right.isFirst) - Number(left.isFirst));
