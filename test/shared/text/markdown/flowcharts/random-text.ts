import fc from "fast-check";

const ID = fc.oneof(
  {
    weight: 60,
    arbitrary: fc.constantFrom(
      "A",
      "B",
      "C",
      "D",
      "n1",
      "n2",
      "step_3",
      "my-node",
      "数据",
      "Éa",
      "x",
      "o",
      "v",
    ),
  },
  { weight: 1, arbitrary: fc.stringMatching(/^[A-Za-z0-9_-]{1,6}$/) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "end",
      "ends",
      "my-end",
      "graph",
      "style-x",
      "class",
      "default",
      "click",
      "call",
      "href",
      "1x",
      "日o",
      "_top",
      "_topic",
      "subgraph1",
      "interpolate",
      "1end",
    ),
  },
);
const PLAIN = fc.oneof(
  {
    weight: 30,
    arbitrary: fc.constantFrom(
      "Start",
      "Read the file",
      "Größe > 3",
      "a - b",
      "c: d, e.",
      "it's",
      "x@y",
      "50 %",
      "a & b",
      "1 < 2",
      "日本語",
      "🎉",
      "end",
      "direct",
      "over<br>two",
      "a<br/>b",
      "style me",
      "to=x",
    ),
  },
  { weight: 1, arbitrary: fc.string({ unit: "grapheme-ascii", maxLength: 10 }) },
);
const QUOTED = fc
  .oneof(PLAIN, fc.constantFrom("(a) [b] {c}", "a; b", "a|b", "--> x", "<b>t</b>", "#quot;", "%% no"))
  .map((text) => `"${text}"`);
const LABEL = fc.oneof(PLAIN, QUOTED);

const FORM = fc.constantFrom(["[", "]"], ["(", ")"], ["([", "])"], ["{", "}"], ["((", "))"]);
const NODE = fc.oneof(
  ID,
  fc.tuple(ID, FORM, LABEL).map(([id, [open, close], label]) => `${id}${open}${label}${close}`),
);
const SPACE = fc.constantFrom(" ", " ", " ", "", "  ");
const MARK = fc.constantFrom("-->", "---", "-.->", "==>");
const CONNECTION = fc.oneof(
  fc.tuple(SPACE, MARK, SPACE).map((parts) => parts.join("")),
  fc
    .tuple(SPACE, MARK, LABEL, SPACE)
    .map(([before, mark, label, after]) => `${before}${mark}|${label}|${after}`),
  fc.tuple(SPACE, SPACE, LABEL, SPACE, SPACE).map(([a, b, label, c, d]) => `${a}--${b}${label}${c}-->${d}`),
);
const STATEMENT = fc
  .tuple(NODE, fc.array(fc.tuple(CONNECTION, NODE), { maxLength: 3 }))
  .map(([first, rest]) => first + rest.map(([connection, node]) => connection + node).join(""));
const LINE = fc.oneof(
  { weight: 8, arbitrary: STATEMENT },
  { weight: 1, arbitrary: fc.constantFrom("", "%% a comment", "  %% --> [", ";") },
);
const SEPARATOR = fc.constantFrom("\n", "\n  ", ";", "; ", " ;\n", "\n\n", "\r\n");

/** Texts from the forms of the specification: most of them are good, some have ids and labels that are not. */
export const FLOWCHART_TEXT = fc
  .tuple(
    fc.constantFrom("flowchart", "graph"),
    fc.constantFrom("TD", "TB", "BT", "LR", "RL"),
    fc.constantFrom("\n", "\n", ";", " \n", "\n\n  "),
    fc.array(fc.tuple(LINE, SEPARATOR), { minLength: 1, maxLength: 6 }),
  )
  .map(
    ([word, direction, end, lines]) =>
      `${word} ${direction}${end}${lines.map((line) => line.join("")).join("")}`,
  );

const NOISE = fc.constantFrom(
  "-",
  "--",
  ">",
  "<",
  "x",
  "o",
  "[",
  "]",
  "(",
  ")",
  "{",
  "}",
  "|",
  '"',
  ";",
  "&",
  "=",
  ".",
  "~",
  "@",
  "%%",
  ":::",
  "\n",
  " ",
  "end",
  "subgraph",
  "`",
  "/",
  "\\",
  "#",
  "<br>",
  "\u202e",
  "\ud83d",
);

/** A text with one to four places changed: a piece put in, or some characters taken out. */
export const MUTATED_TEXT = fc
  .tuple(
    FLOWCHART_TEXT,
    fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(3), NOISE), {
      minLength: 1,
      maxLength: 4,
    }),
  )
  .map(([text, changes]) =>
    changes.reduce((changed, [share, removed, noise]) => {
      const at = Math.floor(share * changed.length);
      return changed.slice(0, at) + noise + changed.slice(at + removed);
    }, text),
  );
