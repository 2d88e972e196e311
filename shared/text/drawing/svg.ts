/**
 * Builds SVG as text. Element and attribute names are closed lists, text and values are always escaped, and there
 * is no `style`, `href`, `foreignObject`, script or event attribute to ask for, so no input can bring one in.
 */

/** The elements that a drawing can hold at all. */
export const ELEMENTS = [
  "svg",
  "g",
  "title",
  "desc",
  "defs",
  "pattern",
  "linearGradient",
  "radialGradient",
  "stop",
  "rect",
  "circle",
  "line",
  "path",
  "polygon",
  "text",
  "tspan",
] as const;

/** The attributes that an element can have at all. */
export const ATTRIBUTES = [
  "xmlns",
  "viewBox",
  "width",
  "height",
  "id",
  "class",
  "role",
  "aria-hidden",
  "aria-label",
  "aria-labelledby",
  "x",
  "y",
  "x1",
  "y1",
  "x2",
  "y2",
  "cx",
  "cy",
  "r",
  "rx",
  "d",
  "points",
  "transform",
  "color",
  "fill",
  "fill-opacity",
  "stroke",
  "stroke-width",
  "stroke-dasharray",
  "stroke-linecap",
  "stroke-linejoin",
  "stroke-opacity",
  "text-anchor",
  "font-family",
  "font-size",
  "font-weight",
  "gradientUnits",
  "offset",
  "stop-color",
  "patternUnits",
  "patternTransform",
] as const;

/** An element that drawings may hold. */
type SvgElement = (typeof ELEMENTS)[number];

/** Attributes of an element; numbers are written with two decimals, undefined ones are left out. */
export type SvgAttributes = { readonly [name in (typeof ATTRIBUTES)[number]]?: string | number | undefined };

declare const BUILT: unique symbol;

/** Markup that `element` built; only such markup is taken unescaped. */
export interface SvgNode {
  readonly markup: string;
  readonly [BUILT]: true;
}

/** Builds one element; children that are strings become escaped text. Throws on a number that is not finite. */
export function element(
  name: SvgElement,
  attributes: SvgAttributes,
  children: readonly (SvgNode | string)[] = [],
): SvgNode {
  let markup = `<${name}`;
  for (const attribute in attributes) {
    const value = attributes[attribute as keyof SvgAttributes];
    if (value !== undefined) markup += ` ${attribute}="${writeValue(value)}"`;
  }
  if (children.length === 0) return { markup: `${markup}/>` } as SvgNode;
  markup += ">";
  for (const child of children) markup += typeof child === "string" ? escapeText(child) : child.markup;
  return { markup: `${markup}</${name}>` } as SvgNode;
}

const MOST_PX = 1e9;

/** A number as drawings write it: at most two decimals, no exponent. Throws on one that no drawing can mean. */
export function formatNumber(value: number): string {
  if (!(Math.abs(value) < MOST_PX)) throw new RangeError("a drawing may hold finite lengths only");
  const rounded = Math.round(value * 100) / 100;
  return String(rounded === 0 ? 0 : rounded);
}

function writeValue(value: string | number): string {
  return typeof value === "number" ? formatNumber(value) : escapeText(value);
}

const SPECIAL = /[&<>"']/g;
const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
// XML 1.0 has no way to write these, not even as an entity.
const NOT_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

// Nearly every text needs no change; one test is cheaper than three passes.
const UNSAFE = /[&<>"'\u0000-\u0008\u000b\u000c\u000e-\u001f\ud800-\udfff\ufffe\uffff]/;

/** Escapes text for SVG, XML and HTML, as content and within a quoted attribute. */
export function escapeText(text: string): string {
  if (!UNSAFE.test(text)) return text;
  return text
    .toWellFormed()
    .replace(NOT_XML, "\ufffd")
    .replace(SPECIAL, (character) => ENTITIES[character] ?? "");
}

/** The text that was escaped so. */
export function unescapeText(escaped: string): string {
  return escaped.replace(/&(?:#39|\w+);/g, (entity) => CHARACTERS.get(entity) ?? entity);
}

const CHARACTERS = new Map(Object.entries(ENTITIES).map(([character, entity]) => [entity, character]));

const OPENS = /[\u202a\u202b\u202d\u202e\u2066-\u2068]/;
const BIDI = /[\u202a-\u202e\u2066-\u2069]/;

/**
 * Text within a first-strong isolate, so that its direction and its bidirectional controls end with it
 * (Unicode Standard Annex 9): open controls are closed, and closers without an opening are left out.
 */
export function isolate(text: string): string {
  if (!BIDI.test(text)) return `\u2068${text}\u2069`;
  const open: string[] = [];
  let kept = "";
  for (const character of text) {
    const closes = character === "\u2069" || character === "\u202c";
    if (OPENS.test(character)) open.push(character >= "\u2066" ? "\u2069" : "\u202c");
    // A closer that does not match the innermost opening would reach outside; without it nothing is lost.
    if (closes && open.at(-1) !== character) continue;
    if (closes) open.pop();
    kept += character;
  }
  return `\u2068${kept}${open.reverse().join("")}\u2069`;
}

const BIDI_TEXT =
  /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** Isolates a text only where direction can matter, so that plain text stays plain when it is copied. */
export function isolateIfNeeded(text: string): string {
  return BIDI_TEXT.test(text) ? isolate(text) : text;
}
