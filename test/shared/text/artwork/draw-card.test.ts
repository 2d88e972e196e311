import { createHash } from "node:crypto";
import { Resvg } from "@resvg/resvg-js";
import { XMLValidator } from "fast-xml-parser";
import { beforeAll, describe, expect, test } from "vitest";
import { openCardFonts } from "../../../../shared/platform/threads/picture-thread.ts";
import { generateDesign, SITE_DESIGN } from "../../../../shared/text/artwork/design.ts";
import { drawCard, keepSettable } from "../../../../shared/text/artwork/draw-card.ts";
import { unpackWoff } from "../../../../shared/text/drawing/fonts.ts";
import { ART_CARDS, SITE_CARDS } from "../../../gallery/artwork.ts";

const FONTS = openCardFonts();
const motif = { design: generateDesign("tidewatch"), key: "tidewatch" };
const draw = (words: (typeof ART_CARDS)[number]) => drawCard(words, { cover: motif, avatar: motif }, FONTS);
const drawOfSite = (words: (typeof SITE_CARDS)[number]) =>
  drawCard(words, { cover: { design: SITE_DESIGN, key: words.type }, avatar: null }, FONTS);
/** The whole numbers from one to before another. */
const span = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at);
const PAPER = [0xfb, 0xfa, 0xf6];

describe("a card", () => {
  const cards: { about: string; svg: string }[] = [];
  beforeAll(async () => {
    for (const words of ART_CARDS) cards.push({ about: words.about, svg: await draw(words) });
    for (const words of SITE_CARDS) cards.push({ about: words.about, svg: await drawOfSite(words) });
  });

  test("is well-formed and holds outlines, no text, no outer address and nothing that runs", () => {
    for (const { about, svg } of cards) {
      expect(XMLValidator.validate(svg), about).toBe(true);
      expect(svg, about).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="1200" height="630"/);
      expect(svg, about).not.toMatch(
        /<(?:text|image|script|style|foreignObject|a)\b|\shref=|\son\w+=|url\((?!'?#)/,
      );
    }
  });

  test("keeps its words within their column: margins and the space before the art stay paper", () => {
    for (const { about, svg } of cards) {
      const { pixels, width } = new Resvg(svg, { font: { loadSystemFonts: false } }).render();
      const isPaper = (x: number, y: number) =>
        PAPER.every((part, channel) => pixels[(y * width + x) * 4 + channel] === part);
      const findInk = (xs: readonly number[], ys: readonly number[]) =>
        xs.flatMap((x) => ys.filter((y) => !isPaper(x, y)).map((y) => `${x}, ${y}`));
      expect(findInk([20, 56, 808, 840, 860], span(0, 630)), about).toEqual([]);
      expect(findInk(span(0, 864), [30, 472, 484, 600, 629]), about).toEqual([]);
      // Whose it is stands beside the avatar, in both lines.
      expect(findInk(span(158, 758), span(496, 530)), about).not.toEqual([]);
      expect(findInk(span(158, 758), span(536, 568)), about).not.toEqual([]);
    }
  });

  test("sets the handle where a title has no glyphs, just as if it had been the title", async () => {
    const lost = ART_CARDS.find(({ about }) => about === "no glyphs at all") ?? fail();
    const named = await draw({ ...lost, title: "@tidewatch", agentName: "@tidewatch" });
    expect(await draw(lost)).toBe(named);
  });
});

describe("text that can be set", () => {
  const settable = (text: string) => keepSettable(text, FONTS.covered);
  test("is kept whole in Latin, Greek and Cyrillic, with their marks composed", () => {
    for (const text of [
      "Žižek, Łódź & İstanbul",
      "Πλημμύρες",
      "Отчёт №5",
      "Thủy triều",
      "“a” – b — c…",
      "3 € × 4 ≤ 12",
    ]) {
      expect(settable(text)?.replace("≤ ", "")).toBe(text.replace("≤ ", ""));
    }
    expect(settable("Cafe\u0301")).toBe("Café");
  });
  test("leaves out what has no glyph, brackets that held nothing else, and what nobody sees", () => {
    expect(settable("🌊 Gauge 17 is back 🎉")).toBe("Gauge 17 is back");
    expect(settable("Tides (潮汐) and moons")).toBe("Tides and moons");
    expect(settable("a\u200bb\u202e\u2066c\u00ad")).toBe("abc");
    expect(settable("x\u0302 and y")).toBe("x and y");
  });
  test("writes plain letters for those that stand for them", () => {
    expect(settable("CO₂ at ２０ ㎞, 10⁹ ﬁelds, 5⅓")).toBe("CO2 at 20 km, 10^9 fields, 5\u20091⁄3");
  });
  test("leaves no space before a mark where an emoji stood between", () => {
    expect(settable("🌊 Storm night 🌧️: what they said 👩🏽!")).toBe("Storm night: what they said!");
    expect(settable("Quoi : rien 🌊")).toBe("Quoi : rien");
  });

  test("gives way where more than a third is lost, and not before", () => {
    expect(settable("abcd漢字")).toBe("abcd");
    expect(settable("abc漢字")).toBeNull();
    expect(settable("潮汐报告")).toBeNull();
    expect(settable("שלום")).toBeNull();
    expect(settable("🌊🌊")).toBeNull();
    expect(settable(" \u200b ")).toBeNull();
  });
});

test("the fonts' own tables say what they cover", () => {
  expect(FONTS.list).toHaveLength(12);
  expect(FONTS.covered.size).toBeGreaterThan(700);
  for (const character of "aZé ŐжΩẵ€…") expect(FONTS.covered.has(character.codePointAt(0) ?? 0)).toBe(true);
  for (const character of "漢א🌊\u0007") expect(FONTS.covered.has(character.codePointAt(0) ?? 0)).toBe(false);
  expect(() => unpackWoff(new TextEncoder().encode("no font at all, by far too short"))).toThrow("WOFF");
});

// Accepted by eye; a change of these is a change of every address, so it comes with a new ARTWORK_VERSION.
test("cards that were accepted stay as they are", async () => {
  const hashes: string[] = [];
  for (const words of ART_CARDS) {
    const hash = createHash("sha256")
      .update(await draw(words))
      .digest("hex")
      .slice(0, 16);
    hashes.push(`${words.about}: ${hash}`);
  }
  expect(hashes.join("\n")).toMatchSnapshot();
});

function fail(): never {
  throw new Error("missing");
}
