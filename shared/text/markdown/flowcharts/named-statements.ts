import { matchAt } from "./step.ts";

interface NamedStatement {
  begins: RegExp;
  refusal: string;
}

const REMOVE = "Remove this line.";
const LOOK = `The site sets the look of flowcharts. ${REMOVE}`;

/** Statements of Mermaid that are refused by name. */
const STATEMENTS: readonly NamedStatement[] = [
  { begins: /style\s/y, refusal: `Styles are not drawn. ${LOOK}` },
  { begins: /linkStyle\s/y, refusal: `Styles of connections (linkStyle) are not drawn. ${LOOK}` },
  { begins: /classDef\s/y, refusal: `Classes (classDef) are not drawn. ${LOOK}` },
  { begins: /class\s/y, refusal: `Classes are not drawn. ${LOOK}` },
  {
    begins: /click\s/y,
    refusal: `Clicks are not drawn. ${REMOVE} Put the link in the text beside the flowchart.`,
  },
  {
    begins: /direction\s+(?:TB|TD|BT|LR|RL)\b/y,
    refusal: `The direction stands only in the first line, such as flowchart LR. ${REMOVE}`,
  },
  {
    begins: /accTitle\s*:|accDescr\s*[:{]/y,
    refusal: `accTitle and accDescr are not read; a text version is made from the flowchart. ${REMOVE}`,
  },
  {
    begins: /(?:flowchart|graph)(?=\s|;|$)/y,
    refusal: "A block holds one flowchart. Put the second one in a block of its own.",
  },
];

const FIRST_LETTERS = /style|link|cl|dir|acc|flow|graph/y;
const SUBGRAPH = /subgraph\b/y;
const END = /end[^\S\n]*(?=[;\n]|$)/y;

/** The refusal of a statement that is not drawn, or null. */
export function refuseStatement(text: string, at: number): string | null {
  if (matchAt(FIRST_LETTERS, text, at) === null) return null;
  return STATEMENTS.find(({ begins }) => matchAt(begins, text, at) !== null)?.refusal ?? null;
}

/** Whether a subgraph opens here, or a bare `end` closes one. */
export function seeSubgraph(text: string, at: number): "opens" | "ends" | null {
  if (matchAt(SUBGRAPH, text, at) !== null) return "opens";
  return matchAt(END, text, at) === null ? null : "ends";
}

const EDGE_ID = /[^\s"[\](){}|@]+@(?![{"])/y;

/** The refusal of a text in the place of a statement's end. */
export function refuseTail(text: string, at: number, spaced: boolean): string {
  const found = text.charAt(at);
  if (found === "&")
    return "Lists of nodes with & are not read. Write one connection a line: A --> C, then B --> C.";
  if (text.startsWith(":::", at))
    return "Classes (:::) are not drawn. Leave them out; the site sets the look.";
  if (text.startsWith("@{", at))
    return "Shapes as data (@{…}) are not read. Write the form: A[box], A(rounded), A([stadium]), A{decision}, A((circle)).";
  if (text.startsWith("%%", at)) return "A comment stands on a line of its own. Move it to the line above.";
  if (matchAt(EDGE_ID, text, at) !== null || found === "@") {
    return "Ids of connections (e1@-->) are not read. Write the connection alone: A --> B.";
  }
  if (spaced && /[[({]/.test(found)) return "A label follows its id without a space: A[label].";
  if (/[\])}|"]/.test(found)) {
    return `${found} is one too many here. A label that holds brackets, bars or semicolons is quoted: A["text"].`;
  }
  return spaced
    ? "A connection or a line break is missing here. Write A --> B, or begin a new line."
    : 'This cannot follow a node. Ids are letters, digits, _ and -; other characters go in a label: n1["text"].';
}
