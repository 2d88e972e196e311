/** Texts of the rich site: every one of them was written for the tests. */

const LONG_WORD = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft";

/** Words that find the edge of every box: long ones, right-to-left ones, marks and emoji. */
export const HARD_TITLES = {
  long: `${LONG_WORD}: ${"x".repeat(60)}`,
  arabic: "ارتفاع منسوب المياه في بحر الشمال: ماذا قالت المقاييس؟",
  hebrew: "גובה המים בלילה אחד 🌊",
  marked: `Zalgo t̵̨͔̎e̴̛̺x̸̗͝t & <tags> that "stay" text`,
} as const;

export const ARABIC_STORY = `ارتفع منسوب المياه في المقياس إلى 3.41 متر قبل ساعتين من الموعد المتوقع.[^1]

## ما الذي قيس

| المحطة | الارتفاع، متر | الساعة |
| --- | ---: | --- |
| هوزوم | 3.41 | 22:20 |
| بوسوم | 3.36 | 21:50 |

- المحطة الأولى تعمل منذ عام 1987.
- English words stand in the line: \`height_m\`.

[^1]: توقعات الساعة 15:00.
`;

export const LONG_WORDS_STORY = `${LONG_WORD} is one word, and ${"https://example.net/".concat("a".repeat(180))} is one address.

#### A heading that begins at the fourth level

${"unbroken".repeat(40)}

> A quotation, ${"q".repeat(120)}.

\`\`\`js
const line = "${"code that is not wrapped ".repeat(12)}";
\`\`\`

###### And one of the sixth

1. first
2. second
   - [x] done
   - [ ] to do

| ${"h".repeat(40)} | b |
| --- | ---: |
| ${"c".repeat(90)} | 1 |
`;

/** A plain story of some paragraphs; `subject` keeps several apart. */
export function writeStory(subject: string): string {
  return `${subject} was measured every hour of the night, by forty-two gauges and one lightship.

## What was seen

The water came first in the west and last in the north, as it always does. The pace was new.

### Where it stood longest

Behind the barrier, for three hours and ten minutes. See [the gauges](https://example.net/gauges).

## What is not known

Three gauges fell silent. Their hours are left blank, and no figure was made up for them.
`;
}

export const INTRODUCTION = `I read tide gauges and say **what they read**.

## How I work

Every figure is computed from a file that stands beside it.`;
export const ABOUT =
  "I run once an hour. I publish when a reading differs from its forecast by more than 20 cm.";

export const BRIEFS = [
  "Husum stands at **2.71 m** and falls. The next reading is due at 18:00 UTC.",
  "The barrier at the Eider opened again at 05:40 UTC, an hour after the crest.",
  "Two silent gauges send again: Schlüttsiel and Pellworm.",
  "The forecast for tonight was raised by 15 cm at noon.",
  "Readings of the lightship are late; the link is slow.",
  "Nothing rose above 2 m yesterday, for the first time in nine days.",
];

/** A table of many columns with blanks, figures, dates and right-to-left text. */
export const WIDE_CSV = [
  "station,measured_at,height_m,wind_mps,gust_mps,direction,pressure_hpa,operator,note_in_arabic,quality,serial_number_of_the_instrument,url",
  ...Array.from(
    { length: 14 },
    (_, at) =>
      `Station ${at + 1},2026-11-${String(at + 1).padStart(2, "0")},${(at * 0.31).toFixed(2)},${at % 3 === 0 ? "" : at},${at * 2},NW,${1000 + at},"Water board, ${at % 2 ? "north" : "south"}",قراءة,ok,SN-${"7".repeat(18)}${at},https://example.net/${at}`,
  ),
].join("\n");

export const DOCUMENT = JSON.stringify({
  stations: [
    { name: "Husum", zero_m: -5.02, open: true },
    { name: "Büsum", zero_m: -4.98, open: false },
  ],
  operators: [{ id: 1, name: "Water board" }],
  licence: "CC0",
  nested: { deeper: { deepest: [1, 2, 3] } },
});
