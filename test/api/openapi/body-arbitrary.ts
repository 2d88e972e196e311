import fc from "fast-check";

/** The part of JSON Schema that the bodies of requests are described in. */
interface Schema {
  $ref?: string;
  anyOf?: Schema[];
  oneOf?: Schema[];
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  minProperties?: number;
  additionalProperties?: boolean | Schema;
  propertyNames?: Schema;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  minimum?: number;
  maximum?: number;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  examples?: unknown[];
}

type Arbitrary = fc.Arbitrary<unknown>;

const MOST_ITEMS = 3;
const NUMBERS = { min: -1_000_000, max: 1_000_000 };

/**
 * Values that are valid by a schema of the document. `known` has values for members that random texts would not hit, such
 * as ids; they are drawn three times as often as others. Elsewhere a member's example is drawn as often as a random value.
 */
export function drawFrom(
  schema: Schema,
  components: Record<string, Schema>,
  known: Record<string, Arbitrary>,
): Arbitrary {
  const drawMember = (part: Schema, name: string): Arbitrary => {
    const random = draw({ ...part, examples: [] });
    const values = known[name];
    if (values === undefined) return draw(part);
    return fc.oneof({ weight: 3, arbitrary: values }, { weight: 1, arbitrary: random });
  };
  const draw = (part: Schema): Arbitrary => {
    const random = drawRandom(part);
    const examples = part.examples ?? [];
    return examples.length === 0 ? random : fc.oneof(random, fc.constantFrom(...examples));
  };
  const drawRandom = (part: Schema): Arbitrary => {
    if (part.$ref !== undefined) return draw(components[part.$ref.split("/").at(-1) ?? ""] ?? {});
    const choices = part.anyOf ?? part.oneOf;
    if (choices !== undefined) return fc.oneof(...choices.map(draw));
    if (part.const !== undefined) return fc.constant(part.const);
    if (part.enum !== undefined) return fc.constantFrom(...part.enum);
    if (Array.isArray(part.type)) return fc.oneof(...part.type.map((type) => drawRandom({ ...part, type })));
    switch (part.type) {
      case "object":
        return drawObject(part, drawMember, draw);
      case "array":
        return drawArray(part, draw);
      case "string":
        return drawText(part);
      case "integer":
        return fc.integer({ min: part.minimum ?? NUMBERS.min, max: part.maximum ?? NUMBERS.max });
      case "number":
        return fc.double({
          min: part.minimum ?? NUMBERS.min,
          max: part.maximum ?? NUMBERS.max,
          noNaN: true,
        });
      case "boolean":
        return fc.boolean();
      case "null":
        return fc.constant(null);
      default:
        return fc.jsonValue({ maxDepth: 2 });
    }
  };
  return draw(schema);
}

function drawObject(
  schema: Schema,
  drawMember: (part: Schema, name: string) => Arbitrary,
  draw: (part: Schema) => Arbitrary,
): Arbitrary {
  const { properties = {}, required = [], additionalProperties, minProperties = 0 } = schema;
  const whole = Object.entries(properties).map(([name, part]) => {
    const value = drawMember(part, name).map((drawn) => ({ [name]: drawn }));
    if (required.includes(name)) return value;
    // With most of many members, most bodies would have one that is refused.
    return fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: value });
  });
  const known = fc.tuple(...whole).map((members): object => Object.assign({}, ...members));
  const others =
    typeof additionalProperties === "object"
      ? fc.dictionary(drawName(schema, draw), draw(additionalProperties), { maxKeys: MOST_ITEMS })
      : fc.constant({});
  return fc
    .tuple(known, others)
    .map(([members, more]): object => ({ ...more, ...members }))
    .filter((drawn) => Object.keys(drawn).length >= minProperties);
}

function drawName({ propertyNames }: Schema, draw: (part: Schema) => Arbitrary): fc.Arbitrary<string> {
  return draw({ type: "string", ...propertyNames }).map(String);
}

function drawArray(schema: Schema, draw: (part: Schema) => Arbitrary): Arbitrary {
  const { items = {}, minItems = 0, maxItems = Number.POSITIVE_INFINITY, uniqueItems = false } = schema;
  const bounds = { minLength: minItems, maxLength: Math.max(minItems, Math.min(maxItems, MOST_ITEMS)) };
  if (!uniqueItems) return fc.array(draw(items), bounds);
  return fc.uniqueArray(draw(items), { ...bounds, selector: (item) => JSON.stringify(item) });
}

/** Texts of a pattern, as long as they may be; lengths are counted in characters, as JSON Schema does. */
function drawText({ pattern, minLength = 0, maxLength = Number.POSITIVE_INFINITY }: Schema): Arbitrary {
  const fits = (text: string) => [...text].length >= minLength && [...text].length <= maxLength;
  if (pattern === undefined) {
    const most = Math.min(maxLength, 300);
    const make = () => fc.string({ unit: "grapheme", minLength, maxLength: most });
    return makeOnce(`${minLength} to ${most}`, make).filter(fits);
  }
  const whole = new RegExp(pattern, "u");
  // fast-check makes no text of a look-ahead: it is tried on what the rest gives.
  const source = pattern.replace(/\(\?[!=](?:[^()]|\\.)*\)/, "");
  return makeOnce(source, () => fc.stringMatching(new RegExp(source, "u"))).filter(
    (text) => whole.test(text) && fits(text),
  );
}

const made = new Map<string, fc.Arbitrary<string>>();

/** Making an arbitrary of texts takes up to 50 ms, and the schemas have few patterns and bounds. */
function makeOnce(name: string, make: () => fc.Arbitrary<string>): fc.Arbitrary<string> {
  const known = made.get(name) ?? make();
  made.set(name, known);
  return known;
}
