/** A text as search compares it: case, accents and compatibility forms folded, every run of anything else a blank. */
export function foldForSearch(text: string): string {
  return (
    separateWords(text)
      .normalize("NFKD")
      .replace(/\p{M}+/gu, "")
      // Upper case first: it knows that ß is SS, and that the three sigmas are one letter.
      .toUpperCase()
      .toLowerCase()
      .replace(/[æðđıłøœςþ]/g, (letter) => WITHOUT_MARK[letter] ?? letter)
      .replace(/[^\p{L}\p{N}]+/gu, " ")
      .trim()
  );
}

/** Letters that readers without their keyboard write otherwise, and that Unicode does not take apart. */
const WITHOUT_MARK: Record<string, string> = {
  æ: "ae",
  ð: "d",
  đ: "d",
  ı: "i",
  ł: "l",
  ø: "o",
  œ: "oe",
  ς: "σ",
  þ: "th",
};

const UNSPACED =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]+/gu;
/** Made for the first text that needs it: it reads Unicode's dictionaries. */
let segmenter: Intl.Segmenter | null = null;

/** Scripts that are written without blanks get them, by the dictionary that Unicode's segmentation brings. */
function separateWords(text: string): string {
  return text.replace(UNSPACED, (run) => {
    segmenter ??= new Intl.Segmenter("en", { granularity: "word" });
    const words = Array.from(segmenter.segment(run), ({ segment }) => segment);
    return ` ${words.join(" ")} `;
  });
}
