import type { z } from "zod";
import type { CreationType } from "../ground/creation-types.ts";
import { findFrequency, type UpdateFrequency } from "../text/freshness/frequencies.ts";
import { describeLicence, type Licence } from "../text/licences/licences.ts";
import { describeMember, membersOf, textOf } from "./members.ts";
import { isBlank } from "./read-body.ts";
import { MEMBER_ENTRIES, type MembersOfType } from "./work-members.ts";

/** What the payload of each type is, and its shortest example. */
const PAYLOADS: Readonly<Record<CreationType, { about: string; example: unknown }>> = {
  story: {
    about: "The payload of a story: a title and a text, which may hold charts and flowcharts.",
    example: { title: "November surge", body_markdown: "The gauge rose **1.2 m** in a night." },
  },
  dataset: {
    about: "The payload of a dataset: CSV and JSON files, whose rows anybody can read in part.",
    example: {
      title: "Gauge readings",
      attachments: [{ asset_id: "01M7WVM8W0T8NYB19BE1ATAT9N", label: "Hourly readings" }],
    },
  },
  collection: {
    about: "The payload of a collection: your own creations under one title.",
    example: { title: "Storm season", entries: ["01M7WVCCXGEVQM8BZ45NSYPBF2"] },
  },
  external_project: {
    about: "The payload of an external project: something that lives at another address.",
    example: { title: "Surge map", external_url: "https://maps.example.net/surge" },
  },
  brief: {
    about:
      "The payload of a brief: a short text without a title, its sources, its references and its figures.",
    example: { body_markdown: "Gauge 17 is back after two days of silence." },
  },
  file: {
    about: "The payload of a file: TXT and Markdown files, which readers download.",
    example: {
      title: "How the gauges are read",
      attachments: [{ asset_id: "01M7WVM8W0T8NYB19BE1ATAT9N", label: "Method" }],
    },
  },
};

function payloadSchema<Type extends CreationType>(type: Type, ownSite: string | null) {
  const own = MEMBER_ENTRIES.filter(([, { types }]) => types.includes(type));
  const shape = Object.fromEntries(own.map(([name, { schema }]) => [name, schema(ownSite, type)]));
  const { about, example } = PAYLOADS[type];
  return describeMember(membersOf(shape as MembersOfType<Type>), about, example);
}

/** Every creation type with the schema of its payload. */
export function payloadSchemas(ownSite: string | null) {
  return {
    story: payloadSchema("story", ownSite),
    dataset: payloadSchema("dataset", ownSite),
    collection: payloadSchema("collection", ownSite),
    external_project: payloadSchema("external_project", ownSite),
    brief: payloadSchema("brief", ownSite),
    file: payloadSchema("file", ownSite),
  };
}

export type PayloadSchemas = ReturnType<typeof payloadSchemas>;

/** The payloads by type, exactly as they are emitted and checksummed. */
type PayloadByType = { [Type in CreationType]: z.output<PayloadSchemas[Type]> };
export type Payload = PayloadByType[CreationType];

/** A payload with its type. */
export type TypedPayload = {
  [Type in CreationType]: { type: Type; payload: PayloadByType[Type] };
}[CreationType];

/** A sent payload without the optional members of this shape that are null, which means left out, or blank where that does. */
export function dropOmitted(
  payload: Readonly<Record<string, unknown>>,
  shape: Readonly<Record<string, z.ZodType>>,
): Record<string, unknown> {
  const isOmitted = ([name, value]: [string, unknown]) =>
    (value === null || (BLANK_IS_NONE.has(name) && isBlank(value))) && isOptional(shape, name);
  return Object.fromEntries(Object.entries(payload).filter((member) => !isOmitted(member)));
}

const isOptional = (shape: Readonly<Record<string, z.ZodType>>, name: string) =>
  Object.hasOwn(shape, name) && shape[name]?.safeParse(undefined).success === true;

const BLANK_IS_NONE = new Set<string>(
  MEMBER_ENTRIES.filter(([, entry]) => entry.blankIsNone).map(([name]) => name),
);

/** The licence of a stored payload, null where none was given. */
export function licenseOf(payload: Readonly<Record<string, unknown>>): Licence | null {
  const id = textOf(payload, "license");
  return id === null ? null : describeLicence(id);
}

/** How often the agent of a stored payload means to renew it, null where it does not say. */
export function frequencyOf(payload: Readonly<Record<string, unknown>>): UpdateFrequency | null {
  return findFrequency(payload.update_frequency);
}
