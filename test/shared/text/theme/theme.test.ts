import { describe, expect, test } from "vitest";
import { SPAN_OPACITY } from "../../../../shared/text/charts/annotations.ts";
import { PALE } from "../../../../shared/text/charts/areas.ts";
import { STYLESHEET } from "../../../../shared/text/stylesheets.ts";
import {
  ACCENTS,
  CHART_PALETTE,
  COLORS,
  type SchemePair,
  TYPE_SIZES_PX,
} from "../../../../shared/text/theme/tokens.ts";
import { type Rgb, readLinear, toOklab } from "./colour.ts";

const SCHEMES = ["light", "dark"] as const;

const measureLuminance = ([red, green, blue]: Rgb) => 0.2126 * red + 0.7152 * green + 0.0722 * blue;
function measureContrast(one: string, other: string): number {
  const [low = 0, high = 0] = [one, other]
    .map((hex) => measureLuminance(readLinear(hex)))
    .sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

/** Oklab distance times 100; 2 is just seen. */
function measureDistance(one: Rgb, other: Rgb): number {
  const [a, b] = [toOklab(one), toOklab(other)];
  return 100 * Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

// Full loss of one kind of cone: Machado, Oliveira, Fernandes 2009, severity 1.0.
const SIGHTS: Record<string, [Rgb, Rgb, Rgb]> = {
  "full colour vision": [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};
function see(hex: string, sight: [Rgb, Rgb, Rgb]): Rgb {
  const color = readLinear(hex);
  const apply = (row: Rgb) =>
    Math.min(1, Math.max(0, row[0] * color[0] + row[1] * color[1] + row[2] * color[2]));
  return [apply(sight[0]), apply(sight[1]), apply(sight[2])];
}
/** A colour that lets some of the one under it shine through. */
function lay(top: string, opacity: number, under: string): string {
  const parts = [1, 3, 5].map((at) => {
    const [own, other] = [top, under].map((hex) => Number.parseInt(hex.slice(at, at + 2), 16));
    return Math.round((own ?? 0) * opacity + (other ?? 0) * (1 - opacity));
  });
  return `#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}
const pairs = <T>(list: readonly T[]): [T, T][] =>
  list.flatMap((one, index) => list.slice(index + 1).map((other): [T, T] => [one, other]));

describe.each(SCHEMES)("colours in the %s scheme", (scheme) => {
  const of = (pair: SchemePair) => pair[scheme];
  test.each(["ink", "soft"] as const)("%s reads on paper and on wash", (name) => {
    expect(measureContrast(of(COLORS[name]), of(COLORS.paper))).toBeGreaterThanOrEqual(4.5);
    expect(measureContrast(of(COLORS[name]), of(COLORS.wash))).toBeGreaterThanOrEqual(4.5);
  });
  test.each(Object.entries(ACCENTS))(
    "accent %s: 4.5 for text, 3 for marks, on paper and on wash",
    (_, accent) => {
      for (const ground of [COLORS.paper, COLORS.wash]) {
        expect(measureContrast(of(accent.text), of(ground))).toBeGreaterThanOrEqual(4.5);
        expect(measureContrast(of(accent.mark), of(ground))).toBeGreaterThanOrEqual(3);
      }
    },
  );
  test("a button's words read on every accent, which is its colour under the pointer", () => {
    for (const { text } of Object.values(ACCENTS)) {
      expect(measureContrast(of(COLORS.paper), of(text))).toBeGreaterThanOrEqual(4.5);
    }
  });
  test("every chart colour stands out from paper by 3", () => {
    for (const { color } of CHART_PALETTE) {
      expect(measureContrast(of(color), of(COLORS.paper))).toBeGreaterThanOrEqual(3);
    }
  });
  test.each(Object.entries(SIGHTS))(
    "the eight chart colours stay apart with %s, neighbours most",
    (_, sight) => {
      for (const [one, other] of pairs(CHART_PALETTE)) {
        const [a, b] = [see(of(one.color), sight), see(of(other.color), sight)];
        const apart = CHART_PALETTE.indexOf(other) - CHART_PALETTE.indexOf(one);
        const least = apart === 1 ? 12 : 6;
        expect(measureDistance(a, b), `${of(one.color)} ${of(other.color)}`).toBeGreaterThanOrEqual(least);
      }
    },
  );
  test.each(Object.entries(SIGHTS))(
    "three bands, where two of them lie over each other, paper and a marked span can be told apart with %s",
    (_, sight) => {
      const [paper, pale] = [of(COLORS.paper), PALE["fill-opacity"]];
      const colors = CHART_PALETTE.slice(0, 3).map(({ color }) => of(color));
      const bands = colors.map((color) => lay(color, pale, paper));
      const shared = pairs(colors).map(([one, other]) => lay(other, pale, lay(one, pale, paper)));
      const span = lay(of(COLORS.soft), SPAN_OPACITY, paper);
      for (const [one, other] of pairs([paper, span, ...bands, ...shared]))
        expect(measureDistance(see(one, sight), see(other, sight)), `${one} ${other}`).toBeGreaterThanOrEqual(
          2.5,
        );
    },
  );
  test("the eight chart colours stay far apart with full colour vision", () => {
    for (const [one, other] of pairs(CHART_PALETTE)) {
      const distance = measureDistance(readLinear(of(one.color)), readLinear(of(other.color)));
      expect(distance, `${of(one.color)} ${of(other.color)}`).toBeGreaterThanOrEqual(14);
    }
  });
  test("no chart colour is much lighter than another, so that none is louder", () => {
    const lightness = CHART_PALETTE.map(({ color }) => 100 * toOklab(readLinear(of(color)))[0]);
    expect(Math.max(...lightness) - Math.min(...lightness)).toBeLessThanOrEqual(23);
  });
});

test("each chart group has a dash and a shape of its own", () => {
  expect(CHART_PALETTE).toHaveLength(8);
  expect(new Set(CHART_PALETTE.map(({ dash }) => dash)).size).toBe(8);
  expect(new Set(CHART_PALETTE.map(({ shape }) => shape)).size).toBe(8);
});

test("the accents are the six that the specification names", () => {
  expect(Object.keys(ACCENTS).sort()).toEqual([
    "danger",
    "info",
    "primary",
    "secondary",
    "success",
    "warning",
  ]);
});

describe("stylesheet", () => {
  const css = STYLESHEET.css;
  test("is under 25 KiB, drawings included and its address holds its hash", () => {
    expect(Buffer.byteLength(css)).toBeLessThan(25 * 1024);
    expect(STYLESHEET.css).toBe(css);
    expect(STYLESHEET.path).toMatch(/^\/style-[0-9a-f]{12}\.css$/);
  });
  test("knows both schemes and paper", () => {
    expect(css).toContain("@media screen and (prefers-color-scheme:dark){:root{");
    // What is dark is so on screens alone: on paper every colour is the light one.
    expect(css.match(/@media[^{]*dark[^{]*\{/g)).toEqual(
      Array(2).fill("@media screen and (prefers-color-scheme:dark){"),
    );
    expect(css).toContain("@media print{:root{color-scheme:light}");
  });
  test("every custom property that it uses is defined", () => {
    const defined = new Set([...css.matchAll(/(--[a-z0-9-]+):/g)].map(([, name]) => name));
    const used = [...css.matchAll(/var\((--[a-z0-9-]+)/g)].map(([, name]) => name);
    expect(used.filter((name) => !defined.has(name))).toEqual([]);
  });
  test("its braces are balanced and nothing is fetched from elsewhere", () => {
    expect(css.split("{").length).toBe(css.split("}").length);
    expect(css).not.toMatch(/url\((?!\/serif-[a-z0-9-]+\.woff2\))|@import/);
  });
  test("no size of the type scale is below 13 px", () => {
    expect(Math.min(...Object.values(TYPE_SIZES_PX))).toBeGreaterThanOrEqual(13);
  });
});
