type JsonObject = Record<string, unknown>;

/** A part of fewer characters is said again where it stands: a reference to it would tell a reader less. */
const LEAST_CHARACTERS = 250;
/** Members that hold parts by their names, and members that are a part or a list of them. */
const NAMED = new Set(["properties", "$defs"]);
const PARTS = new Set(["items", "additionalProperties", "anyOf", "oneOf", "allOf", "prefixItems"]);

/** Schemas by their names, in which what several say, or one several times, stands once under a name of its own. */
export function shareParts(schemas: JsonObject, toRef: (name: string) => JsonObject): JsonObject {
  const texts = new Map<unknown, string>();
  const counts = new Map<string, number>();
  visitParts(schemas, (part) => {
    const text = JSON.stringify(part);
    texts.set(part, text);
    if (text.length >= LEAST_CHARACTERS) counts.set(text, (counts.get(text) ?? 0) + 1);
  });
  const shared = new Map<string, string>();
  const found: JsonObject = {};
  const takeName = (name: string): string => {
    const base = name.replace(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase());
    const taken = (one: string) => one in schemas || one in found;
    let number = 1;
    while (taken(number === 1 ? base : `${base}${number}`)) number++;
    return number === 1 ? base : `${base}${number}`;
  };
  /** The part with references in it; within one that is shared itself, only to what stands elsewhere, too. */
  const share = (part: unknown, name: string, around: number): unknown => {
    const text = texts.get(part) ?? "";
    const count = counts.get(text) ?? 0;
    if (count < 2 || count === around) return mapParts(part, name, (inner, at) => share(inner, at, around));
    const known = shared.get(text);
    if (known !== undefined) return toRef(known);
    const own = takeName(name);
    shared.set(text, own);
    found[own] = null;
    found[own] = mapParts(part, name, (inner, at) => share(inner, at, count));
    return toRef(own);
  };
  const rest = Object.entries(schemas).map(([name, schema]) => [
    name,
    mapParts(schema, name, (inner, at) => share(inner, at, 1)),
  ]);
  return { ...Object.fromEntries(rest), ...found };
}

/** Shows each part within schemas, those within others too. */
function visitParts(schemas: JsonObject, show: (part: unknown) => void): void {
  const visit = (part: unknown): unknown => {
    show(part);
    return mapParts(part, "", visit);
  };
  for (const schema of Object.values(schemas)) mapParts(schema, "", visit);
}

/** The same schema with each part in it replaced; a part has the name of the nearest member that holds it. */
function mapParts(schema: unknown, name: string, replace: (part: unknown, name: string) => unknown): unknown {
  if (typeof schema !== "object" || schema === null) return schema;
  const members = Object.entries(schema).map(([member, value]) => {
    if (NAMED.has(member)) {
      const parts = Object.entries(value as JsonObject).map(([own, part]) => [own, replace(part, own)]);
      return [member, Object.fromEntries(parts)];
    }
    if (!PARTS.has(member)) return [member, value];
    if (Array.isArray(value)) return [member, value.map((part) => replace(part, name))];
    return [member, replace(value, member === "items" ? `${name}_item` : name)];
  });
  return Object.fromEntries(members);
}
