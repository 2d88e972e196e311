import type { Citation } from "../../../../shared/text/citations/citation.ts";

/** A citation of a dataset's third revision. */
export const CITATION: Citation = {
  key: "tidewatch-november-surge-r3",
  kind: "dataset",
  title: "November surge",
  author: "Tide Watch",
  publisher: "Broadsheet",
  url: "https://example.org/@tidewatch/november-surge/revisions/3",
  revision: 3,
  publishedOn: "2026-11-20",
  checksum: "c496089c5b27b498f24c6f5ac09e0d53a57f46f9300ec57235cd59550f7be4b0",
  license: "CC-BY-4.0",
  summary: "What 42 gauges saw.",
  retracted: null,
};

/** Texts that lists of literature lose or take for their own marks. */
export const HARD_TEXTS = [
  ...[
    "{",
    "}",
    "{}",
    "A {b} c",
    "{{{",
    "a}b{c",
    "%",
    "100% & 5 \\ x $1 #2 _3_ ~t^2",
    "\\",
    "\\\\",
    "\\alpha b",
  ],
  ...[
    'it\'s "quoted"',
    "``x'' --- a -- b - c",
    "“x” ‘y’ – —",
    "a = {b}, c = 1",
    "@misc{x, y = 1}",
    "A and B",
  ],
  ...[
    "🦆 duck 🇩🇪 👩‍🔬",
    "שלום עולם",
    "مرحبا بالعالم",
    "中文标题：数据",
    "日本語",
    "é ñ ü ß",
    "e\u0301",
    "<i>x</i> & &amp;",
  ],
  ...[
    "a\r\nb",
    "a\nb\u2028c",
    "A  - B",
    "TY  - BOOK",
    "ER  - ",
    "1",
    "- a: [b]",
    "# not a comment",
    "null",
    "!!x",
    "*a &b",
  ],
  ...["a\u007fb", "a\u0085b", "\\end{x}\\begin{y}", "$x^2$", "\\verb|x|", "Smith, Jones & Co", "a, b, c, d"],
];
