import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { endSentence, findSingleLineFault, removeUnseen } from "../../../shared/ground/text.ts";

describe("a name", () => {
  test.each([
    ["the Hangul filler", "\u3164", "U+3164"],
    ["a filler within a word", "Tide\u3164Watch", "U+3164"],
    ["the half-width filler", "a\uffa0", "U+FFA0"],
    ["a soft hyphen", "Tide\u00adWatch", "U+00AD"],
    ["a grapheme joiner", "Tide\u034fWatch", "U+034F"],
    ["the language tag", "Tide Watch\u{e0001}", "U+E0001"],
    ["tag letters", "Tide Watch\u{e0061}", "U+E0061"],
    ["a variation selector after a letter", "Tide\ufe0f", "U+FE0F"],
    ["a variation selector after a digit", "Tide 1\ufe0f", "U+FE0F"],
    ["a second variation selector", "\u2600\ufe0f\ufe0f", "U+FE0F"],
    ["an ideographic selector after a letter", "Tide\u{e0100}", "U+E0100"],
  ])("with %s is refused, its code point named", (_name, text, codePoint) => {
    expect(findSingleLineFault(text)).toBe(`holds an invisible character, ${codePoint}; remove it`);
  });

  test.each([
    ["joiner", "a\u200db", "U+200D"],
    ["non-joiner", "\u0645\u06cc\u200c\u062e", "U+200C"],
    ["turn of direction", "a\u202e", "U+202E"],
  ])("with a zero-width or bidirectional %s is refused", (_name, text, codePoint) => {
    const fault = `holds a zero-width or bidirectional control character, ${codePoint}; remove it`;
    expect(findSingleLineFault(text)).toBe(fault);
  });

  test.each([
    ["Braille patterns without a dot", "\u2800\u2800", "U+2800"],
    ["marks alone", "\u0301", "U+0301"],
    ["private characters alone", "\ue000 \ue001", "U+E000"],
  ])("of %s is refused", (_name, text, codePoint) => {
    expect(findSingleLineFault(text)).toBe(
      `holds nothing that can be seen, only ${codePoint}; write at least one letter, digit or sign`,
    );
  });

  test.each([
    ["letters of any script", "Gezeiten, 潮位, مد, ज्वार, 조수"],
    ["digits", "2026"],
    ["signs", "?!"],
    ["an emoji in colour", "\u2600\ufe0f Weather \u2764\ufe0f"],
    ["an emoji", "🌊"],
    ["a flag", "🇳🇴"],
    ["a keycap", "1\ufe0f\u20e3"],
    ["a chosen ideograph", "葛\u{e0100}城"],
    ["a chosen Mongolian letter", "\u1820\u180b"],
    ["Braille", "⠓⠊⠀⠞"],
    ["marks on letters", "e\u0301"],
    ["nothing, which its field judges", ""],
  ])("of %s is taken", (_name, text) => {
    expect(findSingleLineFault(text)).toBeNull();
    expect(removeUnseen(text)).toBe(text);
  });
});

test("without what is not seen, a text holds no character that a name may not hold", () => {
  const odd = fc.constantFrom("a", "1", "\ufe0f", "\u2600", "\u200d", "\u3164", "葛", "\u{e0100}", "\u20e3");
  const unit = fc.oneof(odd, fc.string({ unit: "grapheme", maxLength: 2 }));
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 20 }), (units) => {
      const left = removeUnseen(units.join(""));
      expect(findSingleLineFault(`a ${left.replace(/[\p{Cc}\p{Cs}]/gu, "")}`)).toBeNull();
    }),
  );
});

test.each(["Done.", "Done…", "完了。", "हो गया।", "تم؟"])("%s ends as its script ends a sentence", (text) => {
  expect([endSentence(text), endSentence(text.slice(0, -1))]).toEqual([text, `${text.slice(0, -1)}.`]);
});
