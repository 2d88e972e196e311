import { type Hint, hint } from "./hints.ts";
import type { Outline } from "./verdict.ts";

const WRITE_RECORDS =
  'Its rows are read as those of a table only where it is a list of objects: orient="records" of to_json in pandas writes it.';

/** The hint of a document that is a data frame as pandas and others write it. */
export function findDataFrame(outline: Outline): Hint[] {
  const form = describeForm(outline);
  return form === null ? [] : [hint("data_frame", `The document is ${form}. ${WRITE_RECORDS}`)];
}

function describeForm(outline: Outline): string | null {
  if (outline.type === "array")
    return areOfScalars(outline) ? "a list of lists, as of a data frame without its names" : null;
  const form = describeFrame(outline);
  return form && `a data frame, ${form}`;
}

function describeFrame({ members = [] }: Outline): string | null {
  if (members.length === 0) return null;
  const typeOf = (name: string) => members.find((member) => member.name === name)?.type;
  if (typeOf("columns") === "array" && typeOf("data") === "array") return "in columns and data";
  if (areAlike(members, "array") && members.length > 1 && members.every(isOfScalars))
    return "a list for each column";
  if (!areAlike(members, "object")) return null;
  if (members.every(({ members: cells = [] }) => areNumbered(cells))) return "an object for each column";
  const areScalars = members.every(({ members: cells = [] }) => cells.every(isScalar));
  return areScalars && (areNumbered(members) || areNamedAlike(members)) ? "an object for each row" : null;
}

/** Whether all have one type, and as many items or members. */
function areAlike(members: readonly Outline[], type: Outline["type"]): boolean {
  const [first] = members;
  return members.every((one) => one.type === type && one.count === first?.count) && (first?.count ?? 0) > 0;
}

const isScalar = ({ type }: Outline) => type !== "object" && type !== "array";

const isOfScalars = ({ item_types: types = [] }: Outline) => types.every((type) => isScalar({ type }));

/** Whether every item is a list, the first one of scalars. */
const areOfScalars = ({ item_types: types = [], first_item: first }: Outline) =>
  types.join() === "array" && first?.count !== 0 && first !== undefined && isOfScalars(first);

/** Whether all objects have the same members, several at least. */
function areNamedAlike(members: readonly Outline[]): boolean {
  const [first = "", ...others] = members.map(({ members: cells = [] }) =>
    cells.map(({ name }) => name).join(),
  );
  return first.includes(",") && others.length > 0 && others.every((names) => names === first);
}

/** Whether the names are the numbers of rows, and the values scalars. */
function areNumbered(members: readonly ({ name: string } & Outline)[]): boolean {
  return members.length > 0 && members.every(({ name }, at) => name === String(at));
}
