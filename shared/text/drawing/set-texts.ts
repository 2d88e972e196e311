import type { Advances } from "./fonts.ts";
import { escapeText, formatNumber, unescapeText } from "./svg.ts";

/** A family of fonts by its name, and the widths of its letters. */
interface FontFamily {
  name: string;
  regular: Advances;
  bold: Advances;
}

/** At least one family; the first is preferred. */
export type FontFamilies = readonly [FontFamily, ...FontFamily[]];

const ROOT = /<svg\b([^>]*)>/;
const TEXT = /<text\b([^>]*)>([^<]*)<\/text>/g;
const ATTRIBUTE = / ([\w-]+)="([^"]*)"/g;
const GRAPHEMES = new Intl.Segmenter("en", { granularity: "grapheme" });
/** They turn and join letters of scripts that these families do not have. */
const CONTROLS = /\p{Cf}/gu;
/** Anchors by how much of a text stands before them. */
const ANCHORS: Readonly<Record<string, number>> = { middle: 0.5, end: 1 };

/**
 * Sets the texts of an SVG that `element` built in these families. A text that needs several is split, and each part is
 * put in its place: a renderer that looks for missing glyphs by itself leaves such texts out. A letter that no family has
 * becomes an empty box. Tells which families are named.
 */
export function setTexts(svg: string, families: FontFamilies): { svg: string; families: string[] } {
  const used = new Set<string>();
  const usualPx = Number(readAttribute(ROOT.exec(svg)?.[1] ?? "", "font-size"));
  const set = svg.replace(TEXT, (_, attributes: string, escaped: string) => {
    const text = unescapeText(escaped).replace(CONTROLS, "");
    const parts = splitText(text.normalize("NFC"), families);
    for (const { family } of parts) used.add(family.name);
    return `<text${attributes}>${writeParts(parts, attributes, usualPx)}</text>`;
  });
  return { svg: set, families: [...used] };
}

interface Part {
  family: FontFamily;
  text: string;
}

function splitText(text: string, families: FontFamilies): Part[] {
  const parts: Part[] = [];
  for (const { segment } of GRAPHEMES.segment(text)) {
    const last = parts.at(-1);
    const current = last?.family ?? families[0];
    const able = covers(current, segment) ? current : families.find((family) => covers(family, segment));
    const family = able ?? current;
    if (last?.family === family) last.text += segment;
    else parts.push({ family, text: segment });
  }
  return parts;
}

function covers({ regular }: FontFamily, segment: string): boolean {
  if (segment === " ") return true;
  for (const character of segment) if (!regular.of.has(character.codePointAt(0) ?? 0)) return false;
  return true;
}

/** One part stands where the text stands; several follow one another from where the first begins. */
function writeParts(parts: readonly Part[], attributes: string, usualPx: number): string {
  const write = ({ family, text }: Part, place: string) =>
    `<tspan font-family="${family.name}"${place}>${escapeText(text)}</tspan>`;
  if (parts.length === 1) return parts.map((part) => write(part, "")).join("");
  const sizePx = Number(readAttribute(attributes, "font-size") ?? usualPx);
  const isBold = readAttribute(attributes, "font-weight") === "700";
  const widths = parts.map(
    ({ family, text }) => sizePx * measure(text, isBold ? family.bold : family.regular),
  );
  const before = ANCHORS[readAttribute(attributes, "text-anchor") ?? ""] ?? 0;
  let x =
    Number(readAttribute(attributes, "x") ?? 0) - before * widths.reduce((sum, width) => sum + width, 0);
  const written: string[] = [];
  for (const [index, part] of parts.entries()) {
    // A blank at the edge of a part would be dropped.
    written.push(write(part, ` x="${formatNumber(x)}" text-anchor="start" xml:space="preserve"`));
    x += widths[index] ?? 0;
  }
  return written.join("");
}

function readAttribute(attributes: string, name: string): string | undefined {
  return [...attributes.matchAll(ATTRIBUTE)].find(([, found]) => found === name)?.[2];
}

function measure(text: string, advances: Advances): number {
  let ems = 0;
  for (const character of text) ems += advances.of.get(character.codePointAt(0) ?? 0) ?? advances.missing;
  return ems;
}
