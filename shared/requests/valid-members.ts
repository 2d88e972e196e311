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
  /** Of each list of which some items are left out, by its path: where each of the others stood. */
  places: Places;
  /** What was left out: `figures` where items are, `figures.0.from.colour` where a member of the item at 0 is. */
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

/** Items of a list that are looked at: no list of these may have more. */
const MOST_ITEMS = 300;

/**
 * By what an object of these members names a work, a file or a column: one that has it is looked at, whatever else of it
 * is refused. Null for a list of ids.
 */
const NAMED_BY: ReadonlyMap<string, string | null> = new Map([
  ["references", "creation_id"],
  ["entries", null],
  ["attachments", "asset_id"],
  ["dictionary", "columns"],
  ["columns", "name"],
  ["figures", "from"],
  ["from", "asset_id"],
]);
/** What decides all else that is said of a column: without it only the name is looked at. */
const DECIDING = "missing_values";

/** Each member of a refused body that is valid by itself, by the schemas that refused the whole. */
export function readValidMembers(
  type: CreationType | null,
  { envelope, payload }: Pick<RequestParts, "envelope" | "payload">,
  ownSite: string | null,
): ValidMembers {
  const valid = pickMembers(schemasFor().envelope.shape, { ...envelope }, { places: {}, lost: new Set() });
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
  const { body_markdown: sentText, ...sent } = dropOmitted(payload, shape);
  const left: Left = { places: {}, lost: new Set() };
  const valid = blanksToNull(pickMembers(others, sent, left));
  if (hasText === undefined) return { payload: valid, ...left };
  // Reading a text again would take as long as all else together, and only its line ends are changed.
  const text = readShortText(sentText);
  if (text !== null) return { payload: { ...valid, body_markdown: text }, ...left };
  // Without their text nothing can be said of figures.
  const { figures: _, ...rest } = valid;
  return { payload: rest, ...left };
}

/** A text no longer than one may be: where it is refused, its blocks are read as those of any other. */
function readShortText(text: unknown): string | null {
  if (typeof text !== "string" || text.length > 2 * PAYLOAD_LIMITS.bodyCharacters) return null;
  return countCodePoints(text) > PAYLOAD_LIMITS.bodyCharacters ? null : foldMarkdownEnds(text);
}

/** What is noted of a body beside its valid members, by paths of what is kept. */
interface Left {
  places: Record<string, number[]>;
  lost: Set<string>;
}

function pickMembers(
  shape: Readonly<Record<string, z.ZodType>>,
  members: Record<string, unknown>,
  left: Left,
  above = "",
): Record<string, unknown> {
  const valid: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(shape)) {
    const member = pickValid(schema, members[name], `${above}${name}`, left);
    if (member !== undefined) valid[name] = member;
  }
  for (const [name, sent] of Object.entries(members))
    if (sent !== undefined && !Object.hasOwn(valid, name)) left.lost.add(`${above}${name}`);
  return valid;
}

/** What of the member at a path is valid; undefined where nothing is. */
function pickValid(schema: z.ZodType, sent: unknown, path: string, left: Left): unknown {
  const { success, data } = schema.safeParse(sent);
  if (success) return data;
  const name = path.split(".").findLast((part) => !/^\d*$/.test(part)) ?? "";
  const naming = NAMED_BY.get(name);
  if (naming === undefined) return undefined;
  const form = formOf(schema, sent);
  if (form instanceof z.ZodArray) return pickItems(form.element as z.ZodType, sent, path, left);
  const isNamed = naming !== null && form instanceof z.ZodObject && isRecord(sent);
  return isNamed ? pickNamed(form, sent, { path, naming }, left) : undefined;
}

/** The items of a refused list that are valid by themselves, or name what can be looked at. */
function pickItems(element: z.ZodType, sent: unknown, path: string, left: Left): unknown[] {
  const list = Array.isArray(sent) ? sent : [];
  const [items, places]: [unknown[], number[]] = [[], []];
  for (const [place, one] of list.slice(0, MOST_ITEMS).entries()) {
    const item = pickValid(element, one, `${path}.${items.length}`, left);
    if (item === undefined) continue;
    items.push(item);
    places.push(place);
  }
  if (items.length === list.length) return items;
  left.lost.add(path);
  left.places[path] = places;
  return items;
}

/** The valid members of a refused object; undefined where the one that it is named by is refused. */
function pickNamed(
  schema: z.ZodObject,
  sent: Record<string, unknown>,
  { path, naming }: { path: string; naming: string },
  left: Left,
): Record<string, unknown> | undefined {
  const { [naming]: schemaOfName = z.never(), ...others } = schema.shape as Record<string, z.ZodType>;
  const { [naming]: sentName, ...rest } = sent;
  const name = pickValid(schemaOfName, sentName, `${path}.${naming}`, left);
  if (name === undefined) return undefined;
  const valid = { ...pickMembers(others, rest, left, `${path}.`), [naming]: name };
  // What is said of a whole column may refuse a member that is valid by itself; a question is judged by its reader.
  for (const { path: at } of (DECIDING in others && schema.safeParse(valid).error?.issues) || [])
    if (at.length === 1 && at[0] !== naming) left.lost.add(`${path}.${String(at[0])}`);
  const isLeft = (member: string) =>
    member === naming || ![member, DECIDING].some((one) => left.lost.has(`${path}.${one}`));
  return Object.fromEntries(Object.entries(valid).filter(([member]) => isLeft(member)));
}

/** The list or object that a member is, of two forms the one that was sent. */
function formOf(schema: z.ZodType, sent: unknown): z.ZodType {
  const isWrapped =
    schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault;
  if (isWrapped) return formOf(schema.unwrap() as z.ZodType, sent);
  if (!(schema instanceof z.ZodUnion)) return schema;
  const forms = schema.options as readonly z.ZodType[];
  return forms.find((form) => form instanceof z.ZodArray === Array.isArray(sent)) ?? schema;
}
