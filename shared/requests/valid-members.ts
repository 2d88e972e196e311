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
  const { valid } = pickMembers(schemasFor().envelope.shape, { ...envelope });
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
  const { valid: read, places, lost } = pickMembers(others, sent);
  const valid = blanksToNull(read);
  if (hasText === undefined) return { payload: valid, places, lost };
  // Reading a text again would take as long as all else together, and only its line ends are changed.
  const text = readShortText(sentText);
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

/** What of a value is valid by itself. */
interface Picked<T> extends Pick<ValidMembers, "places" | "lost"> {
  valid: T;
}

function pickMembers(
  shape: Readonly<Record<string, z.ZodType>>,
  members: Record<string, unknown>,
): Picked<Record<string, unknown>> {
  const parts = Object.entries(shape).flatMap(([name, schema]) => {
    const part = pickValid(schema, members[name], name);
    return part === null ? [] : [[name, part] as const];
  });
  const valid = Object.fromEntries(
    parts.flatMap(([name, part]) => (part.valid === undefined ? [] : [[name, part.valid]])),
  );
  const refused = Object.keys(members).filter(
    (name) => !Object.hasOwn(valid, name) && members[name] !== undefined,
  );
  return { valid, ...joinParts(parts, refused) };
}

/** What of a member is valid; null where nothing is. */
function pickValid(schema: z.ZodType, sent: unknown, name: string): Picked<unknown> | null {
  const { success, data } = schema.safeParse(sent);
  if (success) return { valid: data, places: {}, lost: new Set() };
  if (!NAMED_BY.has(name)) return null;
  const form = formOf(schema, sent);
  if (form instanceof z.ZodArray)
    return pickItems(form.element as z.ZodType, Array.isArray(sent) ? sent : [], name);
  return form instanceof z.ZodObject && isRecord(sent) ? pickNamed(form, sent, name) : null;
}

/** The items of a refused list that are valid by themselves, or name what can be looked at. */
function pickItems(element: z.ZodType, list: readonly unknown[], name: string): Picked<unknown[]> {
  const items = list.slice(0, MOST_ITEMS).flatMap((sent, place) => {
    const part = pickValid(element, sent, name);
    return part === null ? [] : [{ place, part }];
  });
  const isWhole = items.length === list.length;
  const { places, lost } = joinParts(
    items.map(({ part }, at) => [String(at), part]),
    isWhole ? [] : [""],
  );
  return {
    valid: items.map(({ part }) => part.valid),
    places: isWhole ? places : { ...places, "": items.map(({ place }) => place) },
    lost,
  };
}

/** The valid members of a refused object; null where the one that it is named by is refused. */
function pickNamed(schema: z.ZodObject, sent: Record<string, unknown>, name: string): Picked<unknown> | null {
  const { valid, places, lost } = pickMembers(schema.shape as Record<string, z.ZodType>, sent);
  const naming = NAMED_BY.get(name) ?? "";
  const { [naming]: named } = valid;
  if (named === undefined) return null;
  // What is said of the whole object may refuse a member that is valid by itself.
  const refused = (schema.safeParse(valid).error?.issues ?? []).flatMap(
    ({ path: [member = "", ...inside] }) =>
      inside.length === 0 && Object.hasOwn(valid, member) ? [String(member)] : [],
  );
  const isLeft = ([member]: [string, unknown]) =>
    member === naming || !(refused.includes(member) || lost.has(DECIDING));
  const left = Object.fromEntries(Object.entries(valid).filter(isLeft));
  return { valid: left, places, lost: new Set([...lost, ...refused]) };
}

/** The places and losses of parts, each under the name of its part, and what is lost beside them. */
function joinParts(
  parts: readonly (readonly [name: string, part: Picked<unknown>])[],
  refused: readonly string[],
): Pick<ValidMembers, "places" | "lost"> {
  const under = (name: string, path: string) => (path === "" ? name : `${name}.${path}`);
  const places = parts.flatMap(([name, part]) =>
    Object.entries(part.places).map(([path, kept]) => [under(name, path), kept]),
  );
  const lost = parts.flatMap(([name, part]) => Array.from(part.lost, (path) => under(name, path)));
  return { places: Object.fromEntries(places), lost: new Set([...refused, ...lost]) };
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
