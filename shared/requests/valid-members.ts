import { z } from "zod";
import type { CreationType } from "../ground/creation-types.ts";
import { countCodePoints } from "../ground/text.ts";
import { PAYLOAD_LIMITS } from "./limits.ts";
import { dropOmitted } from "./payloads.ts";
import { PUBLIC_VISIBILITIES, type PublicVisibility } from "./publishing.ts";
import { blanksToNull, blankToNull, isRecord, type RequestParts } from "./read-body.ts";
import { schemasFor } from "./schemas.ts";
import { foldMarkdownEnds } from "./text-fields.ts";

/** What of a refused body can be looked at further: each member that is valid by itself. */
export interface ValidMembers {
  type: CreationType | null;
  slug: string | null;
  section: string | null;
  change_summary: string | null;
  minor: boolean;
  /** Of `publish` or `schedule`, whichever is sent. */
  visibility: PublicVisibility | null;
  /** Members of the payload; a text stands in it although something in it is refused, as its other blocks are asked. */
  payload: Record<string, unknown>;
  /** Of a list of which some items are left out: where each of the others stood. */
  places: Places;
  /** What was left out of lists: `figures` where items are, `figures.0.text` where a member of the item at 0 is. */
  lost: ReadonlySet<string>;
}

type Places = Readonly<Record<string, readonly number[]>>;

/** Nothing of a body. */
export const NOTHING_VALID: ValidMembers = {
  type: null,
  slug: null,
  section: null,
  change_summary: null,
  minor: false,
  visibility: null,
  payload: {},
  places: {},
  lost: new Set(),
};

/** Items of a list that are looked at: no list may have more. */
const MOST_ITEMS = 50;

/** By what an item names a work or a file: one that has it is looked at, whatever else of it is refused. */
const NAMED_BY: Readonly<Record<string, readonly string[]>> = {
  references: ["creation_id"],
  attachments: ["asset_id"],
  figures: ["from", "asset_id"],
};

/** Each member of a refused body that is valid by itself, by the schemas that refused the whole. */
export function readValidMembers(
  type: CreationType | null,
  { envelope, payload }: Pick<RequestParts, "envelope" | "payload">,
  ownSite: string | null,
): ValidMembers {
  const { valid } = pickValidMembers(schemasFor().envelope.shape, { ...envelope });
  const { slug, section, change_summary, minor, publish, schedule } = blankToNull(valid);
  return {
    type,
    slug: typeof slug === "string" ? slug : null,
    section: typeof section === "string" ? section : null,
    change_summary: typeof change_summary === "string" ? change_summary : null,
    minor: minor === true,
    visibility: visibilityOf(publish ?? schedule),
    ...(type === null || !isRecord(payload)
      ? { payload: {}, places: {}, lost: new Set<string>() }
      : readValidPayload(type, payload, ownSite)),
  };
}

function visibilityOf(release: unknown): PublicVisibility | null {
  const sent = isRecord(release) ? release.visibility : null;
  return PUBLIC_VISIBILITIES.find((one) => one === sent) ?? null;
}

function readValidPayload(
  type: CreationType,
  payload: Record<string, unknown>,
  ownSite: string | null,
): Pick<ValidMembers, "payload" | "places" | "lost"> {
  const { shape } = schemasFor(ownSite).payloads[type];
  const { body_markdown: hasText, ...others }: Readonly<Record<string, z.ZodType>> = shape;
  const sent = dropOmitted(payload, shape);
  const { valid: read, places, lost } = pickValidMembers(others, sent);
  const valid = blanksToNull(read);
  if (hasText === undefined) return { payload: valid, places, lost };
  // Reading a text again would take as long as all else together, and only its line ends are changed.
  const text = readShortText(sent.body_markdown);
  if (text !== null) return { payload: { ...valid, body_markdown: text }, places, lost };
  // Without their text nothing can be said of figures.
  const { figures: _, ...rest } = valid;
  return { payload: rest, places, lost };
}

/** A text no longer than one may be: where it is refused, its blocks are read as those of any other. */
function readShortText(text: unknown): string | null {
  if (typeof text !== "string" || text.length > 2 * PAYLOAD_LIMITS.bodyCharacters) return null;
  return countCodePoints(text) > PAYLOAD_LIMITS.bodyCharacters ? null : foldMarkdownEnds(text);
}

function pickValidMembers(
  shape: Readonly<Record<string, z.ZodType>>,
  members: Record<string, unknown>,
): Pick<ValidMembers, "places" | "lost"> & { valid: Record<string, unknown> } {
  const valid: [string, unknown][] = [];
  const places: [string, number[]][] = [];
  const lost = new Set<string>();
  for (const [name, schema] of Object.entries(shape)) {
    const { data } = schema.safeParse(members[name]);
    const items = data === undefined ? listValidItems(schema, members[name], NAMED_BY[name] ?? []) : [];
    if (data !== undefined) valid.push([name, data]);
    if (items.length === 0) continue;
    valid.push([name, items.map(({ item }) => item)]);
    places.push([name, items.map(({ place }) => place)]);
    if (items.length < (members[name] as unknown[]).length) lost.add(name);
    for (const [at, item] of items.entries())
      for (const member of item.lost) lost.add(`${name}.${at}.${member}`);
  }
  return { valid: Object.fromEntries(valid), places: Object.fromEntries(places), lost };
}

interface ValidItem {
  item: unknown;
  place: number;
  /** Its members that are refused, unknown ones too. */
  lost: string[];
}

/** The items of a refused list that are valid by themselves, or name what can be looked at. */
function listValidItems(schema: z.ZodType, list: unknown, namedBy: readonly string[]): ValidItem[] {
  const element = elementOf(schema);
  if (element === null || !Array.isArray(list)) return [];
  return list.slice(0, MOST_ITEMS).flatMap((sent, place) => {
    const { data } = element.safeParse(sent);
    if (data !== undefined) return [{ item: data, place, lost: [] }];
    const part = pickNamed(element, sent, namedBy);
    return part === null ? [] : [{ ...part, place }];
  });
}

/** The valid members of a refused object; null where the one that it is named by is refused. */
function pickNamed(
  schema: z.ZodType | undefined,
  sent: unknown,
  [name, ...within]: readonly string[],
): Pick<ValidItem, "item" | "lost"> | null {
  if (name === undefined || !(schema instanceof z.ZodObject) || !isRecord(sent)) return null;
  const { [name]: naming, ...others } = schema.shape as Record<string, z.ZodType>;
  const named = naming?.safeParse(sent[name]).data;
  const value = named ?? pickNamed(naming, sent[name], within)?.item;
  if (value === undefined) return null;
  const { valid } = pickValidMembers(others, sent);
  const lost = Object.keys(sent).filter((one) => one !== name && !(one in valid) && sent[one] !== undefined);
  return { item: { ...valid, [name]: value }, lost: named === undefined ? [...lost, name] : lost };
}

function elementOf(schema: z.ZodType): z.ZodType | null {
  if (schema instanceof z.ZodArray) return schema.element as z.ZodType;
  const isWrapped =
    schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault;
  return isWrapped ? elementOf(schema.unwrap() as z.ZodType) : null;
}
