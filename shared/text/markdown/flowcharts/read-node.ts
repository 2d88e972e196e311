import type { NodeForm } from "./flowchart.ts";
import { readId } from "./read-id.ts";
import { readLabel } from "./read-label.ts";
import { isRefusal, type Step } from "./step.ts";

/** A node as one place of the text names it: label and form are null where it stands alone. */
export interface NamedNode {
  id: string;
  label: string | null;
  form: NodeForm | null;
}

interface Form {
  opening: string;
  closing: string;
  form: NodeForm | null;
  /** Mermaid's name for a form that is not drawn here. */
  name?: string;
}

// Longest first, in the order in which Mermaid tries them.
const FORMS: readonly Form[] = [
  { opening: "(((", closing: ")))", form: null, name: "Double circles" },
  { opening: "((", closing: "))", form: "circle" },
  { opening: "([", closing: "])", form: "stadium" },
  { opening: "(-", closing: "-)", form: null, name: "Ellipses" },
  { opening: "(", closing: ")", form: "rounded" },
  { opening: "[[", closing: "]]", form: null, name: "Subroutine boxes" },
  { opening: "[(", closing: ")]", form: null, name: "Cylinders" },
  { opening: "[|", closing: "]", form: null, name: "Boxes with properties" },
  { opening: "[/", closing: "]", form: null, name: "Parallelograms and trapezoids" },
  { opening: "[\\", closing: "]", form: null, name: "Parallelograms and trapezoids" },
  { opening: "[", closing: "]", form: "box" },
  { opening: "{{", closing: "}}", form: null, name: "Hexagons" },
  { opening: "{", closing: "}", form: "decision" },
  { opening: ">", closing: "]", form: null, name: "Flags" },
];

const USE_LISTED =
  "Use one of A[box], A(rounded), A([stadium]), A{decision}, A((circle)); a label that begins with a special character is quoted.";

/** Reads a node: an id, and directly after it one of the five forms with its label. */
export function readNode(text: string, at: number): Step<NamedNode> {
  const id = readId(text, at);
  if (isRefusal(id)) return id;
  const form = FORMS.find(({ opening }) => text.startsWith(opening, id.end));
  if (form === undefined) return { value: { id: id.value, label: null, form: null }, end: id.end };
  if (form.form === null) return { at: id.end, refusal: `${form.name} are not drawn. ${USE_LISTED}` };
  const labelAt = id.end + form.opening.length;
  if (form.form === "circle" && text[labelAt] === "-") {
    return { at: id.end, refusal: 'A label that begins with - must be quoted: (("-text")).' };
  }
  const label = readLabel(text, labelAt, form.opening, form.closing);
  if (isRefusal(label)) return label;
  const value = { id: id.value, label: label.value, form: form.form };
  return { value, end: label.end + form.closing.length };
}
