/** The cases of the rule in numerals.ts, which a test reads and the documentation shows. */

/** A Markdown text, the numbers that count in it, and why. */
export interface NumberCase {
  markdown: string;
  numbers: readonly string[];
  because: string;
}

/** Sixty texts that cover the rule, with what counts and what does not. */
export const NUMBER_CASES: readonly NumberCase[] = (
  [
    ["4.12 m, then 0,5 m", ["4.12", "0,5"], "a decimal part behind `.` or `,`"],
    ["1,234 and 1.234.567", ["1,234", "1.234.567"], "groups of three"],
    ["1,234,567.8 and 1.234,5", ["1,234,567.8", "1.234,5"], "of two different marks the last is the decimal"],
    ["1'234.5", ["1'234.5"], "an apostrophe between groups"],
    ["12 345 people", ["12 345"], "a blank between groups"],
    ["12 345 67", ["12", "345", "67"], "a blank only where each group behind it has three digits"],
    ["2021 300 people", ["300"], "the first group has up to three digits"],
    ["12&nbsp;345,6", ["12\u00a0345,6"], "a blank that does not break; entities are read"],
    ["12&thinsp;345 and 12&#8239;345", ["12\u2009345", "12\u202f345"], "thin blanks"],
    ["12\n345", ["12", "345"], "no group goes on behind a line end"],
    ["1,2,3", ["1", "2", "3"], "a list"],
    ["1e5 and 2.5E-3", ["1e5", "2.5E-3"], "an exponent belongs to its number"],
    ["−4, +3 and -2.5", ["−4", "+3", "-2.5"], "signs"],
    ["(-4) €-5 x-6", ["-4", "-5"], "a sign behind a bracket or a currency; a hyphen in a word"],
    ["5-7", ["5", "7"], "a hyphen between numbers is no sign"],
    ["5–7 m, 5km-7km", ["5", "7", "5", "7"], "ranges"],
    ["3 × 4", ["3", "4"], "two factors"],
    ["3/4", ["3", "4"], "a fraction"],
    ["16:9", ["16", "9"], "a ratio"],
    ["12%, 3‰ and 20°C", ["12", "3", "20"], "`%`, `‰` and `°` touch a number"],
    ["5km, 3bn, 40kWh", ["5", "3", "40"], "a unit of one to four letters"],
    ["5kilos", [], "five letters are no unit"],
    ["4x4, 10km2", [], "what goes on behind a unit is a word"],
    ["€5, 6€ and $7.50", ["5", "6", "7.50"], "a currency before or behind"],
    ["均12米", ["12"], "letters of scripts without blanks touch nothing"],
    ["5-year plan", ["5"], "a number before a word"],
    ["in 2021, (1999)", [], "years"],
    ["999, 3000", ["999", "3000"], "no years"],
    ["2,021 -2021", ["2,021", "-2021"], "years have no mark and no sign"],
    ["2000m 2000% €2000", ["2000", "2000", "2000"], "years have no unit and no currency"],
    ["2000 m", [], "a unit behind a blank does not touch: a year"],
    ["2019–2021, 2019-21, 2020/21", [], "two years, and their short half"],
    ["2026-01-31, 2026-01", [], "ISO dates and months"],
    ["2026-W05, 2026-W05-3, 2026-Q3", [], "ISO weeks, and quarters"],
    ["2026-01-31T12:30:05.5Z, 2026-01-31 12:30", [], "ISO dates with a time"],
    ["2026-01-31 100 people", ["100"], "a number behind a date"],
    ["5 March 2021, 5–7 March", [], "days before a month"],
    ["March 5, 2021, Mar. 5", [], "days behind a month, full or of three letters"],
    ["In March 12% of 5,000", ["12", "5,000"], "no days"],
    ["5 may apply, 32 May", ["5", "32"], "no month, and no day of one"],
    ["12:30, 9:05:10", [], "times"],
    ["7am, 7.30 am, 7 p.m.", [], "hours"],
    ["1st, 22nd, 3rd, 1,000th", [], "ordinals"],
    ["1990s, 60s", [], "decades"],
    ["65s, 100s", ["65", "100"], "no decades"],
    ["v2, v2.1, 1.2.3", [], "versions"],
    ["192.168.0.1, 31.12.2020", [], "addresses, and dates with points"],
    ["COVID-19, mid-2020", [], "parts of a word behind a hyphen"],
    ["PM2.5, H2O, Q3", [], "parts of a word"],
    ["COVID-19 100 people", ["100"], "a part of a word begins no groups"],
    ["#5, x_6", [], "`#` and `_` touch"],
    ["## 5 gauges", [], "headings"],
    ["`5` and `PM`2.5", [], "code, which touches as other words do"],
    ["~~~\n5\n~~~", [], "blocks of code; charts and flowcharts are such blocks"],
    ["[5 gauges](/7) <https://a.org/8>", ["5"], "texts of links, no addresses"],
    ["1. of 5 gauges[^2]\n\n[^2]: all 6", ["5", "6"], "footnotes; no marks of lists and footnotes"],
    ["|9 cm|\n|-|\n|8|", ["9", "8"], "cells of tables, heads too"],
    ["> 5 in *6* of ~~7~~", ["5", "6", "7"], "quotes and emphasis"],
    ["**4**.12", ["4.12"], "emphasis within a number is read as shown"],
    ["&#49;2 and 1\\.5", ["12", "1.5"], "entities and escapes are read as shown"],
  ] as const
).map(([markdown, numbers, because]) => ({ markdown, numbers, because }));

/** The cases as a table of Markdown, for the documentation. */
export function writeNumberCases(): string {
  const rows = NUMBER_CASES.map(({ markdown, numbers, because }) => {
    const counted = numbers.map((number) => number.replace(/[\u00a0\u2009\u202f]/g, " "));
    return `| ${writeCode(markdown)} | ${counted.map(writeCode).join(", ") || "none"} | ${because} |`;
  });
  return ["| Text | Numbers | Rule |", "| --- | --- | --- |", ...rows].join("\n");
}

/** A text as code in a cell of a table, with ⏎ for line ends. */
function writeCode(text: string): string {
  const shown = text.replaceAll("\n", " ⏎ ").replaceAll("|", "\\|");
  return text.includes("`") ? `\`\` ${shown} \`\`` : `\`${shown}\``;
}
