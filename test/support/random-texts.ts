import { pick, type Random } from "../shared/tables/inspection/generated.ts";

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
export function randomText(random: Random): string {
  const line = () => Array.from({ length: random() * 6 }, () => pick(random, WORDS)).join(" ");
  const lines = Array.from({ length: random() * 14 }, () => line() + pick(random, ENDS));
  return lines.join("") + (random() < 0.5 ? line() : "");
}

/** The same text with some of its lines changed, left out, doubled or moved. */
export function changeText(text: string, random: Random): string {
  const lines = text.split(/(?<=\n)/).flatMap((line) => {
    const chance = random();
    if (chance < 0.1) return [];
    if (chance < 0.2) return [line, line];
    if (chance < 0.35) return [line.replace(/\S+/, pick(random, WORDS))];
    return chance < 0.45 ? [`${pick(random, WORDS)}\n`, line] : [line];
  });
  return (random() < 0.1 ? lines.toReversed() : lines).join("");
}
