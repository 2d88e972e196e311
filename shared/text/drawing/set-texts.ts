import type { Advances } from "./fonts.ts";
import { writePlain } from "./plain-letters.ts";
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
/** Small figures above and below the line, of which the families have three alone. */
const SMALL = /([\u00b2\u00b3\u00b9\u2070-\u207e]+|[\u2080-\u208e]+)/;
/** The size of letters, and how far they stand above the line, in ems of their text. */
const [ON_LINE, ABOVE, BELOW] = [
  { size: 1, raised: 0 },
  { size: 0.62, raised: 0.36 },
  { size: 0.62, raised: -0.14 },
] as const;

/**
 * Sets the texts of an SVG that `element` built in these families. A text that needs several is split, and each part is
 * put in its place: a renderer that looks for missing glyphs by itself leaves such texts out. A letter that no family has
 * is set as the plain one that stands for it, such as a small figure as a figure in small type, else as an empty box.
 * Tells which families are named.
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

type Place = typeof ON_LINE | typeof ABOVE | typeof BELOW;

interface Part {
  family: FontFamily;
  text: string;
  place: Place;
}

/** Splits a text by the families of its letters; small figures are in small type where one of them has no glyph. */
function splitText(text: string, families: FontFamilies): Part[] {
  const isSet = (letter: string) => families.some((family) => covers(family, letter));
  if ([...text].every((letter) => isSet(letter) || !SMALL.test(letter)))
    return splitPiece(text, ON_LINE, families);
  return text.split(SMALL).flatMap((piece) => {
    if (!SMALL.test(piece)) return splitPiece(piece, ON_LINE, families);
    return splitPiece(piece.normalize("NFKC"), piece < "\u2080" ? ABOVE : BELOW, families);
  });
}

function splitPiece(text: string, place: Place, families: FontFamilies): Part[] {
  const parts: Part[] = [];
  for (const { segment } of GRAPHEMES.segment(text)) {
    const last = parts.at(-1);
    const current = last?.family ?? families[0];
    const find = (letters: string) =>
      covers(current, letters) ? current : families.find((family) => covers(family, letters));
    const plain = writePlain(segment);
    const found = find(segment) ?? find(plain);
    const letters = found === undefined || covers(found, segment) ? segment : plain;
    const family = found ?? current;
    if (last?.family === family) last.text += letters;
    else parts.push({ family, text: letters, place });
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
  const write = ({ family, text }: Part, where: string) =>
    `<tspan font-family="${family.name}"${where}>${escapeText(text)}</tspan>`;
  if (parts.length === 1 && parts.every(({ place }) => place === ON_LINE))
    return parts.map((part) => write(part, "")).join("");
  const sizePx = Number(readAttribute(attributes, "font-size") ?? usualPx);
  const isBold = readAttribute(attributes, "font-weight") === "700";
  const widths = parts.map(
    ({ family, text, place }) => sizePx * place.size * measure(text, isBold ? family.bold : family.regular),
  );
  const before = ANCHORS[readAttribute(attributes, "text-anchor") ?? ""] ?? 0;
  const y = Number(readAttribute(attributes, "y") ?? 0);
  let x =
    Number(readAttribute(attributes, "x") ?? 0) - before * widths.reduce((sum, width) => sum + width, 0);
  const written: string[] = [];
  for (const [index, part] of parts.entries()) {
    const { size, raised } = part.place;
    const small = ` y="${formatNumber(y - raised * sizePx)}" font-size="${formatNumber(size * sizePx)}"`;
    // A blank at the edge of a part would be dropped.
    const where = ` x="${formatNumber(x)}"${small} text-anchor="start" xml:space="preserve"`;
    written.push(write(part, where));
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
