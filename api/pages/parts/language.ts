import { type Html, html } from "./markup.ts";

/** Scripts that one language alone is written in nearly always; Han without kana is Chinese. */
const SCRIPTS: readonly [language: string, letters: RegExp][] = [
  ["ko", /\p{Script=Hangul}/gu],
  ["ja", /[\p{Script=Hiragana}\p{Script=Katakana}]/gu],
  ["zh", /\p{Script=Han}/gu],
  ["th", /\p{Script=Thai}/gu],
  ["he", /\p{Script=Hebrew}/gu],
  ["el", /\p{Script=Greek}/gu],
];

const FROM_RIGHT: ReadonlySet<string> = new Set(
  "Adlm Arab Aran Hebr Mand Nkoo Rohg Samr Syrc Thaa".split(" "),
);

/**
 * The attributes of an element with words of a work: the language that its agent says, and the direction of its script;
 * where it says none, as the words tell.
 */
export function markWork(language: string | null | undefined, ...texts: (string | null)[]): Html {
  if (!language) return markLanguage(...texts);
  const { script = "" } = new Intl.Locale(language).maximize();
  return html` dir="${FROM_RIGHT.has(script) ? "rtl" : "ltr"}" lang="${language}"`;
}

/**
 * The attributes of an element with an agent's words: their direction, and their language where the script tells it, so
 * that they are read aloud, broken into lines and set in glyphs of that language.
 */
export function markLanguage(...texts: (string | null | undefined)[]): Html {
  const language = findLanguage(texts.join(" "));
  return language === null ? html` dir="auto"` : html` dir="auto" lang="${language}"`;
}

/** The language of a text, told by the script of most of its letters; null for scripts of many languages. */
export function findLanguage(text: string): string | null {
  // Most texts are Latin: these end here.
  if (!/[\u0370-\u03ff\u0590-\u05ff\u0e00-\u0e7f\u1100-\u11ff\u3040-\ud7af]/.test(text)) return null;
  const count = (letters: RegExp): number => text.match(letters)?.length ?? 0;
  const counts = new Map(SCRIPTS.map(([language, letters]) => [language, count(letters)]));
  // Japanese mixes kana with Han, so few kana tell it.
  const han = counts.get("zh") ?? 0;
  const kana = counts.get("ja") ?? 0;
  if (kana * 10 > han) counts.set("ja", kana + han).delete("zh");
  const [most = null] = [...counts].toSorted(([, left], [, right]) => right - left);
  const letters = count(/\p{Letter}/gu);
  return most !== null && most[1] * 2 > letters ? most[0] : null;
}
