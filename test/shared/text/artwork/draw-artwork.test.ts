import { createHash } from "node:crypto";
import { XMLValidator } from "fast-xml-parser";
import { describe, expect, test } from "vitest";
import {
  type Design,
  GRADIENTS,
  generateDesign,
  type Motif,
  PATTERNS,
} from "../../../../shared/text/artwork/design.ts";
import { drawInlineAvatar, drawMotifFile } from "../../../../shared/text/artwork/draw-artwork.ts";
import { some } from "../../../support/depth.ts";
import { readLinear, toOklab } from "../theme/colour.ts";

const drawAvatar = (motif: Motif) => drawMotifFile({ kind: "avatar", motif });
const drawCover = (motif: Motif) => drawMotifFile({ kind: "cover", motif });

const HANDLES = Array.from({ length: 10_000 }, (_, index) => `agent-${index}`);
const COLORS = [
  ["#0b3d5c", "#e8f1f5"],
  ["#f4efe6", "#c8553d", "#2d3047"],
  ["#1b1b3a", "#f2a65a", "#8ed1c6", "#f4f1de"],
];
const DESIGNS: Design[] = PATTERNS.flatMap((pattern) =>
  GRADIENTS.flatMap((gradient) =>
    COLORS.flatMap((colors) => [0, 1, 77, 999_999].map((seed) => ({ colors, pattern, gradient, seed }))),
  ),
);
const hashOf = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 16);
const colorsOf = (svg: string) => [...new Set(svg.match(/#[0-9a-f]{6}/g))];

/** Degrees of an Oklab hue, and its chroma and lightness. */
function readOklch(hex: string): { hue: number; chroma: number; lightness: number } {
  const [lightness, a, b] = toOklab(readLinear(hex));
  return { hue: ((Math.atan2(b, a) * 180) / Math.PI + 360) % 360, chroma: Math.hypot(a, b), lightness };
}

describe("artwork of a design", () => {
  test("is the same to the byte for the same design, and differs with seed, key, pattern and gradient", () => {
    for (const design of DESIGNS) {
      const motif = { design, key: "" };
      expect(drawCover(structuredClone(motif))).toBe(drawCover(motif));
      expect(drawCover({ design: { ...design, seed: design.seed + 1 }, key: "" })).not.toBe(drawCover(motif));
      expect(drawCover({ design, key: "other" })).not.toBe(drawCover(motif));
    }
    expect(new Set(DESIGNS.map((design) => drawCover({ design, key: "" }))).size).toBe(DESIGNS.length);
  });

  test("is well-formed, small, and holds no colour but the design's; the avatar only the first two", () => {
    for (const design of DESIGNS) {
      const [cover, avatar] = [drawCover({ design, key: "" }), drawAvatar({ design, key: "" })];
      for (const svg of [cover, avatar]) expect(XMLValidator.validate(svg)).toBe(true);
      expect(Buffer.byteLength(cover)).toBeLessThan(8_000);
      expect(Buffer.byteLength(avatar)).toBeLessThan(4_000);
      for (const color of colorsOf(cover)) expect(design.colors).toContain(color);
      for (const color of colorsOf(avatar)) expect(design.colors.slice(0, 2)).toContain(color);
      expect(colorsOf(avatar)).toHaveLength(2);
    }
  });

  test("blends the first and the last colour where it asks for a gradient, and only there", () => {
    for (const design of DESIGNS) {
      const svg = drawCover({ design, key: "" });
      const stops = [...svg.matchAll(/<stop offset="([01])" stop-color="(#\w+)"\/>/g)].map(
        ([, at, color]) => [at, color],
      );
      const ends = [
        ["0", design.colors[0]],
        ["1", design.colors.at(-1)],
      ];
      expect(stops).toEqual(design.gradient === "none" ? [] : ends);
      expect(svg.includes(`<${design.gradient}Gradient`)).toBe(design.gradient !== "none");
    }
  });

  test("holds shapes that all reach into the frame, and lets the ground be seen", () => {
    for (const design of DESIGNS.filter(({ pattern }) => pattern !== "stripes")) {
      const svg = drawCover({ design, key: "" });
      for (const [, cx, cy, r] of svg.matchAll(/<circle cx="([\d.-]+)" cy="([\d.-]+)" r="([\d.]+)"/g)) {
        const [x, y, reach] = [Number(cx), Number(cy), Number(r)];
        expect(x + reach > 0 && x - reach < 1200 && y + reach > 0 && y - reach < 300).toBe(true);
      }
      if (design.pattern === "circles") expect(svg.match(/<circle/g)?.length).toBeGreaterThan(5);
      for (const [, d = ""] of svg.matchAll(/ d="([^"]+)"/g)) {
        for (const outline of d.split("M").slice(1)) expect(isWithin(outline, design.pattern)).toBe(true);
      }
    }
  });

  test("circles do not touch one another", () => {
    for (const design of DESIGNS.filter(({ pattern }) => pattern === "circles")) {
      const svg = drawCover({ design, key: "" });
      const circles = [...svg.matchAll(/<circle cx="([\d.-]+)" cy="([\d.-]+)" r="([\d.]+)"/g)].map((found) =>
        found.slice(1).map(Number),
      );
      circles.forEach(([x = 0, y = 0, r = 0], index) => {
        for (const [ox = 0, oy = 0, or = 0] of circles.slice(0, index)) {
          const apart = Math.hypot(x - ox, y - oy);
          // The heart of a target shares its middle.
          if (apart > 0.01) expect(apart).toBeGreaterThan(r + or);
        }
      });
    }
  });

  test("names its gradient apart from every other one on a page", () => {
    const names = DESIGNS.flatMap(
      (design) => drawInlineAvatar({ design, key: "" }).match(/ id="[^"]+"/g) ?? [],
    );
    expect(names.length).toBeGreaterThan(0);
    const avatars = new Set(
      DESIGNS.filter(({ gradient }) => gradient !== "none").map(({ colors, pattern, gradient, seed }) =>
        JSON.stringify([colors.slice(0, 2), pattern, gradient, seed]),
      ),
    );
    expect(new Set(names).size).toBe(avatars.size);
  });
});

/** A closed outline begins and ends within the frame, or, as waves and edge triangles do, is cut by its sides. */
function isWithin(outline: string, pattern: string): boolean {
  const spill = pattern === "waves" ? 700 : 250;
  const [x = 0, y = 0] = outline.split(/[A-Z ]/).map(Number);
  return x >= -spill && x <= 1200 + spill && y >= -1 && y <= 301;
}

describe("artwork of a handle", () => {
  const designs = HANDLES.map(generateDesign);
  const motifs = some(HANDLES, 5).map((key): Motif => ({ design: generateDesign(key), key }));
  test(`no two of ${motifs.length} handles have the same avatar or the same cover`, () => {
    expect(new Set(motifs.map((motif) => hashOf(drawAvatar(motif)))).size).toBe(motifs.length);
    expect(new Set(motifs.map((motif) => hashOf(drawCover(motif)))).size).toBe(motifs.length);
  });

  test("patterns are even, and so are the hues in twelve parts of the circle", () => {
    const patterns = PATTERNS.map((name) => designs.filter(({ pattern }) => pattern === name).length);
    for (const count of patterns) expect(count).toBeGreaterThan(1_850);
    const hues = Array.from({ length: 12 }, () => 0);
    for (const { colors } of designs) {
      const strongest = colors.map(readOklch).sort((one, other) => other.chroma - one.chroma)[0] ?? fail();
      const part = Math.floor(strongest.hue / 30);
      hues[part] = (hues[part] ?? 0) + 1;
    }
    for (const count of hues) {
      expect(count).toBeGreaterThan(10_000 / 12 / 2);
      expect(count).toBeLessThan((10_000 / 12) * 2);
    }
    const main = designs.map(({ colors }) => Math.floor(readOklch(colors[1] ?? fail()).hue / 45));
    for (let part = 0; part < 8; part++) {
      expect(main.filter((one) => one === part).length).toBeGreaterThan(1_000);
    }
  });

  test("ground and main colour stay apart in lightness, so that an avatar reads when it is small", () => {
    for (const { colors } of designs) {
      expect(colors).toHaveLength(4);
      const [ground, main] = colors.map((color) => readOklch(color).lightness);
      expect(Math.abs((ground ?? 0) - (main ?? 0))).toBeGreaterThan(0.2);
    }
  });
});

function fail(): never {
  throw new Error("missing");
}

// Accepted by eye; a change of these is a change of every address, so it comes with a new ARTWORK_VERSION.
test("pictures that were accepted stay as they are", () => {
  const drawn = PATTERNS.flatMap((pattern) =>
    GRADIENTS.map((gradient) => {
      const design: Design = { colors: COLORS[2] ?? [], pattern, gradient, seed: 7 };
      return `${pattern} ${gradient} ${hashOf(drawCover({ design, key: "" }))} ${hashOf(drawAvatar({ design, key: "" }))}`;
    }),
  );
  const handles = ["tidewatch", "rain-ledger", "moth-index"].map(
    (key) =>
      `${key} ${JSON.stringify(generateDesign(key))} ${hashOf(drawAvatar({ design: generateDesign(key), key }))}`,
  );
  expect([...drawn, ...handles].join("\n")).toMatchSnapshot();
  expect(drawAvatar({ design: { ...(DESIGNS[0] ?? fail()) }, key: "" })).toMatchSnapshot();
});
