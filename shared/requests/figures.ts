import { z } from "zod";
import {
  AGGREGATE_OPS,
  DATE_PARTS,
  type EntryList,
  MOST,
  MOST_NAME_CHARACTERS,
  ORDERS,
  QUESTION_MEMBERS,
} from "../tables/questions/question.ts";
import { type ReadQuestion, readQuestionObject } from "../tables/questions/read-question.ts";
import { QUERY_OPS } from "../tables/rows/conditions.ts";
import { idField } from "./ids.ts";
import { PAYLOAD_LIMITS } from "./limits.ts";
import { atMost, describeMember, membersOf, RUN_ALWAYS } from "./members.ts";
import { isRecord } from "./read-body.ts";
import { lineField } from "./text-fields.ts";

/** A SHA-256 in hexadecimal digits of any case. */
export const SHA256 = /^[0-9A-Fa-f]{64}$/;
const MOST_DECIMALS = 10;
const HASH = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";
const FROM = {
  asset_id: "01M7WVM8W0T8NYB19BE1ATAT9N",
  content_sha256: HASH,
  aggregate: [{ op: "avg", column: "height_m" }],
};
const EXAMPLE = [{ text: "4.12 m", from: FROM, decimals: 2, unit: "m" }];

/** A member of a payload's `figures`. */
export interface Figure {
  text: string;
  from: { asset_id: string; content_sha256: string; [member: string]: unknown };
  decimals?: number | null | undefined;
  unit?: string | null | undefined;
}

/** The `figures` of a text: emitted only where they were sent. bindData asks the files for them. */
export function figuresField() {
  const figure = membersOf({
    text: describeMember(
      lineField(PAYLOAD_LIMITS.figureCharacters),
      "The figure as it stands in body_markdown; marks between its thousands are left out of the comparison.",
      "4.12 m",
    ),
    from: describeMember(
      fromField(),
      "The file, and a question about it that gives one row with one column.",
      FROM,
    ),
    decimals: describeMember(
      z.int().min(0).max(MOST_DECIMALS).nullish(),
      "To how many digits the value is rounded, half to even. Left out: its shortest form, of min and max as written.",
      2,
    ),
    unit: describeMember(
      lineField(PAYLOAD_LIMITS.unitCharacters).nullish(),
      "What stands behind the number in the text, after a blank. Left out: nothing.",
      "m",
    ),
  }).overwrite(withoutNulls);
  return describeMember(
    z.array(figure).check(atMost(PAYLOAD_LIMITS.figures)).optional(),
    "Numbers of the text that a stored file bears out: each is asked when you save, and 422 tells what the data say. Left out: none.",
    EXAMPLE,
  );
}

const TEXTS = { type: "array", items: { type: ["string", "number"] } };
const WHOLE_FROM_0 = { type: ["string", "integer"], pattern: "^[0-9]{1,15}$", minimum: 0 };
const WHOLE_FROM_1 = { type: ["string", "integer"], pattern: "^[1-9][0-9]{0,14}$", minimum: 1 };

/** A list of objects of a question, with the members that each must have. */
function entriesOf(
  list: Exclude<EntryList, "blank">,
  required: string[],
  properties: Record<string, object>,
) {
  const items = { type: "object", required, properties, additionalProperties: false };
  return { type: "array", maxItems: MOST[list], items };
}

/** A member of such an object: what it is, its sentence and its example. */
function memberOf(form: object, description: string, example: unknown) {
  return { ...form, description, examples: [example] };
}

const TEXT = { type: "string" };
const COLUMN = memberOf(TEXT, "The name of a column of the table, as written.", "station");
const RESULT_COLUMN = memberOf(TEXT, "The name of a column of the result.", "count");
const OP = memberOf({ enum: QUERY_OPS }, "How the cell is compared with the value.", "eq");
const ANY_VALUE = { type: ["string", "number", "boolean", "array"] };
const VALUE = memberOf(
  ANY_VALUE,
  "What the cell is compared with; of `in` a list. Left out: blank.",
  "Husum",
);

const BLANK_TEXTS = { ...TEXTS, minItems: 1, maxItems: MOST.blankValues };
const COLUMN_BLANKS = {
  type: "object",
  required: ["column", "values"],
  properties: {
    column: COLUMN,
    values: memberOf(BLANK_TEXTS, "The texts of its cells that count as blank.", ["-999"]),
  },
  additionalProperties: false,
};

/** What each member of a question is in a document, and its sentence; readQuestionObject reads them. */
const ASKED: Readonly<Record<string, { form: Record<string, unknown>; about: string; example: unknown }>> = {
  table: { form: { type: "string" }, about: "Which table of a file that has several.", example: "readings" },
  filter: {
    form: entriesOf("filter", ["column", "op"], { column: COLUMN, op: OP, value: VALUE }),
    about: "Conditions on rows: column, op, value.",
    example: [{ column: "station", op: "eq", value: "Husum" }],
  },
  match: {
    form: { type: "string", enum: ["all", "any"] },
    about: "Whether all conditions must hold, or any.",
    example: "any",
  },
  q: { form: { type: "string" }, about: "A text that a cell of the row contains.", example: "tide" },
  blank: {
    form: { type: "array", items: { anyOf: [{ type: ["string", "number"] }, COLUMN_BLANKS] } },
    about:
      "Texts that count as blank cells, or what does in one column; `[]` for none. Left out: what the file's dictionary calls missing.",
    example: ["NA"],
  },
  group: {
    form: entriesOf("group", ["column"], {
      column: COLUMN,
      by: memberOf({ enum: DATE_PARTS }, "Which part of its dates makes a group.", "month"),
      step: memberOf({ type: ["string", "number"] }, "How wide a group of its numbers is, above 0.", 10),
    }),
    about: "Groups of rows; a grouped result has two columns or more.",
    example: [],
  },
  aggregate: {
    form: entriesOf("aggregate", ["op"], {
      op: memberOf({ enum: AGGREGATE_OPS }, "What is told of each group, or of all rows.", "avg"),
      column: memberOf(TEXT, "The column that it is told of; `count` needs none.", "height_m"),
      as: memberOf(
        { ...TEXT, minLength: 1, maxLength: MOST_NAME_CHARACTERS },
        "The name of its column in the result. Left out: `avg_height_m` and the like.",
        "mean",
      ),
    }),
    about: "What is told of the rows: op, column.",
    example: FROM.aggregate,
  },
  having: {
    form: entriesOf("having", ["column", "op"], { column: RESULT_COLUMN, op: OP, value: VALUE }),
    about: "Conditions on groups.",
    example: [],
  },
  sort: {
    form: entriesOf("sort", ["column"], {
      column: RESULT_COLUMN,
      order: memberOf({ enum: ORDERS }, "The direction. Left out: `asc`.", "desc"),
    }),
    about: "The order of the rows: column, order.",
    example: [{ column: "day" }],
  },
  columns: { form: TEXTS, about: "Which columns of the rows; a figure needs one.", example: ["height_m"] },
  offset: { form: WHOLE_FROM_0, about: "How many rows are left out.", example: 0 },
  limit: { form: WHOLE_FROM_1, about: "How many rows are found at most.", example: 1 },
};

/** The members of a question, in the order of its canonical form. */
function askedFields() {
  const names = QUESTION_MEMBERS.filter((name) => name in ASKED);
  return Object.fromEntries(
    names.map((name) => {
      const { form = {}, about = "", example } = ASKED[name] ?? {};
      return [name, describeMember(z.unknown().meta(form).optional(), about, example)];
    }),
  );
}

/** A question by itself, of which `readWatchedQuestion` finds every fault. */
export function questionField() {
  const error = "must be an object with the members of a question";
  return z.looseObject(askedFields(), { error }).meta({ additionalProperties: false });
}

function fromField() {
  return membersOf({
    asset_id: describeMember(
      idField(),
      "The id of the file: yours, or one that readers may fetch.",
      FROM.asset_id,
    ),
    content_sha256: describeMember(
      z.string().regex(SHA256, { error: "must be the file's SHA-256, 64 digits from 0 to f" }).toLowerCase(),
      "The SHA-256 of the file, as its upload and its reader tell it.",
      HASH,
    ),
    ...askedFields(),
  })
    .superRefine((from: unknown, context) => {
      if (!isRecord(from)) return;
      const { asset_id: _, content_sha256: __, ...members } = from;
      for (const [field, sentences] of Object.entries(readFigureQuestion(members).errors))
        for (const message of sentences)
          context.addIssue({ code: "custom", path: field.split("."), message });
    }, RUN_ALWAYS)
    .overwrite(withoutNulls);
}

/** Reads the question beside the file in `from`, members that it does not know left out. */
export function readFigureQuestion(members: Record<string, unknown>): ReadQuestion {
  const known = Object.entries(members).filter(([name]) => Object.hasOwn(ASKED, name));
  return readSent(known);
}

/** Reads a question by itself; its answer has no facets. */
export function readWatchedQuestion(members: Record<string, unknown>): ReadQuestion {
  const { question, errors } = readSent(Object.entries(members));
  for (const name of ["facet", "facet_size"])
    if (members[name] != null) errors[name] = ["A watched answer has no facets. Leave this out."];
  return { question, errors };
}

function readSent(members: [string, unknown][]): ReadQuestion {
  return readQuestionObject(Object.fromEntries(members.map(([name, value]) => [name, toTexts(value)])));
}

/** A list, its entries, the values of an entry, and one more, which no question has. */
const MOST_DEPTH = 4;

/** The numbers of a question as texts. One that JSON could not hold exactly is left, and refused as no text. */
function toTexts(value: unknown, depth = 0): unknown {
  if (typeof value === "boolean") return String(value);
  if (typeof value === "number") return Math.abs(value) <= Number.MAX_SAFE_INTEGER ? String(value) : value;
  if (depth === MOST_DEPTH) return value;
  if (Array.isArray(value)) return value.map((item) => toTexts(item, depth + 1));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, toTexts(one, depth + 1)]));
}

/** Null means left out, and is not emitted. */
function withoutNulls<T extends object>(record: T): T {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null)) as T;
}
