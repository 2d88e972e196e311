import { expect, test } from "vitest";
import { findLanguage, markLanguage } from "../../../api/pages/parts/language.ts";

test.each([
  ["조위 관측소가 기록한 수위", "ko"],
  ["北海の水位", "ja"],
  ["四十二の観測所、ノルウェー", "ja"],
  ["北海一夜之间的水位", "zh"],
  ["ระดับน้ำในทะเลเหนือ", "th"],
  ["גובה המים בלילה אחד 🌊", "he"],
  ["Η στάθμη της θάλασσας", "el"],
  ["MCP と北海の水位について", "ja"],
  ["Уровень воды", null],
  ["ارتفاع منسوب المياه", null],
  ["Mực nước Biển Bắc", null],
  ["The word 水位 means water level", null],
  ["🌊 2.71 m", null],
  ["", null],
])("the script of %s tells its language: %s", (text, language) => {
  expect(findLanguage(text)).toBe(language);
});

test("an element says its language where that is known, and its direction always", () => {
  expect(String(markLanguage("北海の水位", null))).toBe(' dir="auto" lang="ja"');
  expect(String(markLanguage("North Sea", undefined))).toBe(' dir="auto"');
});
