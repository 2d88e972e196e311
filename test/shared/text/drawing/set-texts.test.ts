import fc from "fast-check";
import { expect, test } from "vitest";
import { openBundledFonts } from "../../../../shared/platform/threads/picture-thread.ts";
import { formatFigure, formatTicks } from "../../../../shared/text/charts/figures.ts";
import { type FontFamilies, setTexts } from "../../../../shared/text/drawing/set-texts.ts";
import { element } from "../../../../shared/text/drawing/svg.ts";
import { runs } from "../../../support/depth.ts";

const [first, ...others] = openBundledFonts()
  .filter(({ weight }) => weight === 400)
  .map(({ script, advances }) => ({ name: script, regular: advances, bold: advances }));
if (first === undefined) throw new Error("no font is bundled");
const FAMILIES: FontFamilies = [first, ...others];
const COVERED = new Map(FAMILIES.map(({ name, regular }) => [name, regular.of]));

interface SetPart {
  text: string;
  family: string;
  y: number;
  px: number;
}

/** Sets a text that stands at y 100 in 10 px, and reads its parts. */
function setText(text: string): SetPart[] {
  const drawn = element("text", { x: 50, y: 100, "text-anchor": "end" }, [text]);
  const { svg } = setTexts(element("svg", { "font-size": 10 }, [drawn]).markup, FAMILIES);
  return Array.from(svg.matchAll(/<tspan([^>]*)>([^<]*)<\/tspan>/g), ([, attributes = "", set = ""]) => {
    const read = (name: string) => new RegExp(` ${name}="([^"]*)"`).exec(attributes)?.[1];
    const [y, px] = [Number(read("y") ?? 100), Number(read("font-size") ?? 10)];
    return { text: set, family: read("font-family") ?? "", y, px };
  });
}

const listMissing = (parts: readonly SetPart[]) =>
  parts.flatMap(({ text, family }) =>
    [...text].filter((letter) => letter !== " " && !COVERED.get(family)?.has(letter.codePointAt(0) ?? 0)),
  );

test("every number that a chart writes has a glyph for each of its letters", () => {
  const number = fc.double({ noNaN: true, noDefaultInfinity: true });
  fc.assert(
    fc.property(number, fc.integer({ min: -300, max: 300 }), (value, shift) => {
      const ticks = formatTicks([0, value / 2, value], shift);
      for (const label of [...ticks, formatFigure(value, shift)]) {
        const parts = setText(label);
        expect([label, listMissing(parts)]).toEqual([label, []]);
        expect(
          parts
            .map(({ text }) => text)
            .join("")
            .normalize("NFKC"),
        ).toBe(label.normalize("NFKC"));
      }
    }),
    { numRuns: runs(300) },
  );
});

test("small figures stand in small type above and below the line, and what follows on it", () => {
  const shown = (text: string) =>
    setText(text).map((part) => [part.text, part.y < 100, part.y > 100, part.px]);
  const [on, above, below] = [
    [false, false, 10],
    [true, false, 6.2],
    [false, true, 6.2],
  ];
  expect(shown("CO₂ in t")).toEqual([
    ["CO", ...on],
    ["2", ...below],
    [" in t", ...on],
  ]);
  expect(shown("1.5 × 10⁻¹⁸")).toEqual([
    ["1.5 × 10", ...on],
    ["−18", ...above],
  ]);
  expect(shown("⁵")).toEqual([["5", ...above]]);
  expect(shown("µg/m³ and m²")).toEqual([["µg/m³ and m²", ...on]]);
});

test("a letter without a glyph is set as the plain one that it stands for, else as it is", () => {
  const words = (text: string) =>
    setText(text)
      .map((part) => part.text)
      .join("");
  expect(words("２０２６, 12 ℃, ﬁve ㎞, 5⅓")).toBe("2026, 12 °C, five km, 5\u20091⁄3");
  expect(listMissing(setText("２０２６, 12 ℃, ﬁve ㎞"))).toEqual([]);
  expect(words("東京 5")).toBe("東京 5");
});
