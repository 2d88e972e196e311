import { z } from "zod";
import { findUnstorable } from "../ground/text.ts";
import { readBound, writeBound } from "../tables/dictionary/bounds.ts";
import {
  atLeast,
  atMost,
  describeMember,
  membersOf,
  RUN_ALWAYS,
  requireUnique,
  textOf,
  UNIQUE_ITEMS,
} from "./members.ts";
import { isRecord } from "./read-body.ts";
import { optionalLineField, proseField, reportFault } from "./text-fields.ts";
import { PUBLIC_ADDRESS, urlField } from "./urls.ts";

const MOST = {
  columns: 300,
  tables: 20,
  key: 10,
  missing: 10,
  categories: 200,
  nameCharacters: 1_000,
  boundCharacters: 100,
  titleCharacters: 160,
  textCharacters: 500,
  unitCharacters: 40,
  labelCharacters: 160,
  urlCharacters: 2_048,
};
const ROLES = ["time", "place", "measure", "identifier"] as const;
const COLUMN = { name: "height_m", title: "Water level", unit: "m", minimum: -5, maximum: 15 };
const EXAMPLE = { primary_key: ["station", "day"], columns: [COLUMN] };

/** The `dictionary` of a dataset's attachment: emitted only where it was sent. checkDictionaries asks the bytes. */
export function dictionaryField() {
  return describeMember(
    dictionaryMember().nullish(),
    "What the columns of the file mean. Its rules are checked against every row when you save, and 422 names the row that breaks one. A list of such objects, each with table, where a JSON document has several. Left out: none.",
    EXAMPLE,
  );
}

/** A dictionary, or a list of them. */
export function dictionaryMember() {
  const dictionary = membersOf({
    table: describeMember(
      nameField().nullish(),
      "Which list of a JSON document it is of. Left out: its only one.",
      "readings",
    ),
    primary_key: describeMember(
      namesField(MOST.key).nullish(),
      "The columns that tell rows apart: together filled, and never twice the same.",
      ["station", "day"],
    ),
    columns: describeMember(
      z
        .array(columnField())
        .check(atLeast(1))
        .check(atMost(MOST.columns))
        .superRefine(
          requireUnique(
            (item) => textOf(item, "name"),
            "repeats the name of an earlier column; describe each once",
          ),
          RUN_ALWAYS,
        ),
      "What the columns mean, and which rules hold for them; those of no interest may be left out.",
      [COLUMN],
    ),
  }).overwrite(withoutNulls);
  const error = `must be an object, or a list of 1 to ${MOST.tables} of them`;
  return z.union([dictionary, z.array(dictionary).check(atLeast(1)).check(atMost(MOST.tables))], { error });
}

function columnField() {
  return membersOf({
    name: describeMember(nameField(), "The column, as the file names it.", COLUMN.name),
    title: describeMember(
      optionalLineField(MOST.titleCharacters).nullish(),
      "What people call it.",
      COLUMN.title,
    ),
    description: describeMember(
      proseField(MOST.textCharacters).nullish(),
      "What its cells mean.",
      "Height above the gauge's zero.",
    ),
    unit: describeMember(
      optionalLineField(MOST.unitCharacters).nullish(),
      "The unit of its numbers: a UCUM code such as `m` or `Cel`, a currency such as `EUR`, or any words.",
      COLUMN.unit,
    ),
    ...ruleFields(),
    role: describeMember(
      z.enum(ROLES).nullish(),
      "What the column is for: the time or place of a row, a measure, or what identifies it.",
      "measure",
    ),
    concept: describeMember(
      urlField(MOST.urlCharacters).nullish(),
      `An address that says what the column means. ${PUBLIC_ADDRESS}`,
      "https://qudt.org/vocab/quantitykind/Height",
    ),
    references: describeMember(
      referenceField().nullish(),
      "The column of another attachment in which every filled cell occurs.",
      {
        label: "Stations",
        column: "id",
      },
    ),
  })
    .superRefine(refuseWrongBounds, RUN_ALWAYS)
    .overwrite(withoutNulls);
}

function ruleFields() {
  return {
    missing_values: describeMember(
      textsField(MOST.missing).nullish(),
      "Texts of cells that stand for blank in every rule; no cell is changed.",
      ["-999"],
    ),
    categories: describeMember(
      categoriesField().nullish(),
      "Every filled cell is one of these, as it is written.",
      [{ value: "A", label: "checked" }],
    ),
    required: describeMember(z.boolean().nullish(), "Whether no cell is blank.", true),
    unique: describeMember(z.boolean().nullish(), "Whether no value occurs twice, as it is written.", true),
    minimum: describeMember(boundField().nullish(), `The least that a cell may be. ${BOUND}`, COLUMN.minimum),
    maximum: describeMember(boundField().nullish(), `The most that a cell may be. ${BOUND}`, "2026-12-31"),
  };
}

const BOUND = "A number, or a date in the form of the column; a number of more than 15 digits as a text.";

/** A name as a file writes it: nothing is trimmed, so that it stays that of a column. */
function nameField(error?: string) {
  return z
    .string(error === undefined ? {} : { error })
    .check(atMost(MOST.nameCharacters))
    .superRefine((text, context) => reportFault(findUnstorable(text), context));
}

function namesField(most: number) {
  return z
    .array(nameField())
    .check(atLeast(1))
    .check(atMost(most))
    .superRefine(requireUnique(textItself, "repeats an earlier name; name each once"), RUN_ALWAYS)
    .meta(UNIQUE_ITEMS);
}

function textsField(most: number) {
  return z
    .array(nameField("must be a text; write a number in quotes").check(atLeast(1)))
    .check(atLeast(1))
    .check(atMost(most))
    .superRefine(requireUnique(textItself, "repeats an earlier text; send each once"), RUN_ALWAYS)
    .meta(UNIQUE_ITEMS);
}

function categoriesField() {
  const category = membersOf({
    value: describeMember(
      nameField("must be a text as the cell is written; write a number in quotes").check(atLeast(1)),
      "The text of the cell.",
      "A",
    ),
    label: describeMember(
      optionalLineField(MOST.labelCharacters).nullish(),
      "What it stands for. Left out: the value.",
      "checked",
    ),
  }).overwrite(withoutNulls);
  return z
    .array(category)
    .check(atLeast(1))
    .check(atMost(MOST.categories))
    .superRefine(
      requireUnique((item) => textOf(item, "value"), "repeats an earlier value; send each once"),
      RUN_ALWAYS,
    );
}

function referenceField() {
  return membersOf({
    label: describeMember(nameField().check(atLeast(1)), "The label of the other attachment.", "Stations"),
    column: describeMember(nameField(), "The column of that attachment.", "id"),
  });
}

/** A number or a date; one that JSON rounded is refused. */
function boundField() {
  const bound = z.union([z.number(), z.string().check(atMost(MOST.boundCharacters))], {
    error: "must be a number, or the text of a date or of a number",
  });
  return bound.superRefine((sent, context) => {
    if (Number.isInteger(sent) && !Number.isSafeInteger(sent))
      context.addIssue("has more digits than a number of JSON keeps; write it as a text");
    else if (readBound(writeBound(sent)) === null)
      context.addIssue("must be a number, or a date such as 2026-01-31 or 2026-01-31T12:00:00Z");
  });
}

const BOUND_FIELD = boundField();

/** Refuses bounds of which no cell can be between. */
function refuseWrongBounds(column: unknown, context: z.core.$RefinementCtx): void {
  if (!isRecord(column)) return;
  const [least, most] = (["minimum", "maximum"] as const).map((member) => {
    const { data: bound } = BOUND_FIELD.safeParse(column[member]);
    return bound === undefined ? null : readBound(writeBound(bound));
  });
  if (!least || !most) return;
  const order = most.compare(least.text);
  const refuse = (message: string) =>
    context.addIssue({ code: "custom", path: ["maximum"], message, input: column.maximum });
  if (order === null) refuse("must be of the same form as the minimum");
  else if (order > 0) refuse("must not be below the minimum");
}

function textItself(item: unknown): string | null {
  return typeof item === "string" ? item : null;
}

/** Null and blank texts mean left out, and are not emitted. */
function withoutNulls<T extends object>(record: T): T {
  const kept = Object.entries(record).filter(
    ([name, value]) => value != null && (value !== "" || NAMES.has(name)),
  );
  return Object.fromEntries(kept) as T;
}

/** Members in which a blank text is a name as well as any. */
const NAMES: ReadonlySet<string> = new Set(["name", "table"]);
