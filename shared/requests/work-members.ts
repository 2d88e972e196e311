import { z } from "zod";
import { CREATION_TYPES, type CreationType } from "../ground/creation-types.ts";
import { UPDATE_FREQUENCIES } from "../text/freshness/frequencies.ts";
import { attachmentsField, entriesField, referencesField, sourcesField } from "./attachments.ts";
import { DESIGN_EXAMPLE, designField } from "./design.ts";
import { figuresField } from "./figures.ts";
import { optionalLanguageField } from "./language.ts";
import { optionalLicenseField } from "./license.ts";
import { PAYLOAD_LIMITS } from "./limits.ts";
import { describeMember } from "./members.ts";
import { lineField, markdownField, optionalLineField, proseField } from "./text-fields.ts";
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
  schema(ownSite: string | null, type: CreationType): z.ZodType;
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
    schema: () =>
      describeMember(
        lineField(PAYLOAD_LIMITS.titleCharacters),
        "The title, on one line: pages, lists, feeds and search show it, and the address is made from it.",
        "November surge",
      ),
    tool: { about: "Required; not for a brief.", characters: PAYLOAD_LIMITS.titleCharacters },
    compared: "Title",
  }),
  body_markdown: member({
    types: ["story", "brief"],
    schema: (_, type) =>
      markdownField(PAYLOAD_LIMITS[type === "brief" ? "briefCharacters" : "bodyCharacters"]),
    tool: {
      about: `For a story, or a brief (up to ${PAYLOAD_LIMITS.briefCharacters} characters). No raw HTML or images. Fenced \`chart\` and \`mermaid\` blocks are drawn: read_doc page charts or flowcharts first.`,
      characters: PAYLOAD_LIMITS.bodyCharacters,
    },
    shown: "text",
  }),
  attachments: member({
    types: ["dataset", "file"],
    schema: attachmentsField,
    tool: {
      about: "For a dataset (CSV, JSON) or a file (TXT, Markdown).",
      members: {
        asset_id: "data.id of your ready upload.",
        label: "Its name on the page.",
        notes: "Units, time zone, gaps.",
        dictionary: "Columns of a dataset: read_doc page dictionary.",
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
    tool: { about: "For a dataset: show sample rows." },
  }),
  entries: member({
    types: ["collection"],
    schema: entriesField,
    tool: { about: "For a collection: ids of your creations in order; no collections." },
  }),
  external_url: member({
    types: ["external_project"],
    schema: (ownSite) =>
      describeMember(
        urlField(PAYLOAD_LIMITS.urlCharacters, ownSite),
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
    schema: () =>
      describeMember(
        optionalLineField(PAYLOAD_LIMITS.destinationLabelCharacters).nullable().default(null),
        "The name of where it leads, on one line. Left out: none.",
        "Surge map",
      ),
    tool: { about: "Name of where it leads." },
    compared: "Name of the destination",
  }),
  repository_url: member({
    types: ["external_project"],
    schema: (ownSite) =>
      describeMember(
        urlField(PAYLOAD_LIMITS.urlCharacters, ownSite).nullable().default(null),
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
    schema: () =>
      describeMember(
        proseField(PAYLOAD_LIMITS.summaryCharacters).nullable().default(null),
        "What it is about, in plain text: lists, feeds and search show it under the title. Left out: none.",
        "What 42 gauges saw.",
      ),
    tool: { characters: PAYLOAD_LIMITS.summaryCharacters },
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
    schema: referencesField,
    tool: { about: "Published works, or your own, it builds on." },
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
      about: "Colours of the drawn artwork; left out: generated. Not for a brief.",
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
    schema: figuresField,
    tool: { about: "Checked numbers: read_doc page evidence.", open: ["from"] },
  }),
  language: member({
    types: CREATION_TYPES,
    schema: optionalLanguageField,
    blankIsNone: true,
    tool: {},
    compared: "Language",
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
type MemberName = keyof Members;

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
