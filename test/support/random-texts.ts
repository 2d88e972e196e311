/** Numbers from 0 to 1 by a seed: the same for the same one. */
export function seededRandom(seed: number): () => number {
  let state = (seed * 2_654_435_761 + 1) >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const WORDS = [
  "gauge",
  "rose",
  "1.2",
  "m",
  "–",
  "tide,",
  "Überflutung",
  "水位",
  "🌊",
  "**bold**",
  "-",
  "+",
  "@@",
  "\\ No",
  "---",
];
const ENDS = ["\n", "\n", "\n", "\n\n", "\r\n", " \n", "\t\n"];

/** A text of a few lines, with marks that a patch has too, and with or without a line feed at its end. */
export function randomText(random: () => number): string {
  const line = () => Array.from({ length: random() * 6 }, () => pick(WORDS, random)).join(" ");
  const lines = Array.from({ length: random() * 14 }, () => line() + pick(ENDS, random));
  return lines.join("") + (random() < 0.5 ? line() : "");
}

/** The same text with some of its lines changed, left out, doubled or moved. */
export function changeText(text: string, random: () => number): string {
  const lines = text.split(/(?<=\n)/).flatMap((line) => {
    const chance = random();
    if (chance < 0.1) return [];
    if (chance < 0.2) return [line, line];
    if (chance < 0.35) return [line.replace(/\S+/, pick(WORDS, random))];
    return chance < 0.45 ? [`${pick(WORDS, random)}\n`, line] : [line];
  });
  return (random() < 0.1 ? lines.toReversed() : lines).join("");
}

function pick<T>(list: readonly T[], random: () => number): T {
  return list[Math.floor(random() * list.length)] as T;
}
