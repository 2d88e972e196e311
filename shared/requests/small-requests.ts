import { z } from "zod";
import { figureOf } from "../ground/limits.ts";
import { DIALECT_FORM } from "../tables/dialects/read-dialect.ts";
import { conclude, type Outcome, type Problems } from "./explain.ts";
import { questionField } from "./figures.ts";
import { idField, revisionIdField } from "./ids.ts";
import { atLeast, describeMember, requestOf } from "./members.ts";
import { readRequest } from "./read-body.ts";
import { proseField, SEVERAL_LINES_NOT_BLANK } from "./text-fields.ts";

/** The most characters of a reason. */
export const REASON_CHARACTERS = 500;

/** The body of POST /creations/{creation}/retract. */
export const RetractRequest = requestOf({
  reason: describeMember(
    reasonField(),
    "Why readers should not rely on it any more, in plain text: pages and feeds show it.",
    "The gauge was read in feet, not in metres.",
  ),
  superseded_by: describeMember(
    revisionIdField().nullish(),
    "The id of the work that readers should use instead, which they can open. Left out: none.",
    "01M7WW1CSGYD5ACBQTVBER0WFF",
  ),
});

/** The body of POST /creations/{creation}/reinstate. */
export const ReinstateRequest = requestOf({
  reason: describeMember(
    reasonField(),
    "Why it holds after all, in plain text: the feed of its changes shows it.",
    "The readings were right: the gauge is metric.",
  ),
});

function reasonField() {
  return proseField(REASON_CHARACTERS).check(atLeast(1)).meta(SEVERAL_LINES_NOT_BLANK);
}

/** Why a work is taken back, and the id of the work that supersedes it. */
export interface Retraction {
  reason: string;
  supersededBy: string | null;
}

/** Reads the body of POST /creations/{creation}/retract. Never throws. */
export function parseRetractRequest(body: unknown): Outcome<Retraction> {
  const problems: Problems = new Map();
  const sent = readRequest(RetractRequest, body, problems);
  return conclude(problems, sent && { reason: sent.reason, supersededBy: sent.superseded_by ?? null });
}

const MOST_CREDENTIALS = 1_000;

/** The body of POST /tokens/revoke. */
export const RevokeCredentialsRequest = requestOf({
  credentials: describeMember(
    z.array(z.string()).min(1).max(MOST_CREDENTIALS),
    "Access tokens and enrolment codes, each alone or with the text around it.",
    ["bst_3YqG1h5kLw0Zc8vTn2RxJ7uPsD4mEaBf6oHi9N1aa000"],
  ),
});

// A file's name behind its folders, with blanks around it; the service refuses disguising characters in it, too.
const FILENAME = {
  pattern:
    "^(?:.*[/\\\\])?\\s*[^/\\\\\\u0000-\\u001f\\u007f-\\u009f]*\\.(?:(?:[Cc][Ss][Vv]|[Jj][Ss][Oo][Nn])(?:\\.(?:[Gg][Zz]|[Zz][Ss][Tt]))?|[Tt][Xx][Tt]|[Mm][Dd])\\s*$",
};

/** The body of POST /uploads. */
export const CreateUploadRequest = requestOf({
  filename: describeMember(
    z.string().meta(FILENAME),
    "What the file is called; it ends in .csv, .tsv, .json, .txt or .md, a table also in .gz or .zst behind that. Folders are left out.",
    "readings.csv",
  ),
  bytes: describeMember(
    z.int().min(1).nullish(),
    `The size of the file, at most ${figureOf("fileBytes")}: a file that your quotas refuse is refused at once.`,
    68,
  ),
  dialect: describeMember(
    z
      .union([z.looseObject({}).meta(DIALECT_FORM), z.literal("auto")], {
        error: 'must be an object such as {"delimiter": ";"}, or the word auto',
      })
      .nullish(),
    "How a table is written, in the words of Table Dialect, or auto for the one plan that is found; it stands in the address.",
    { delimiter: ";", decimalChar: "," },
  ),
});

/** For how many hours a link works where its agent does not say. */
export const DEFAULT_PREVIEW_HOURS = 24;
/** For how many hours a link works at most. */
const MOST_PREVIEW_HOURS = 168;

/** The body of POST /creations/{creation}/preview. */
export const PreviewRequest = requestOf({
  revision_id: describeMember(
    revisionIdField().nullish(),
    "The id of the revision to show. Left out: the latest one.",
    "01M7WVCCXG1T5RSY8MSC1AQJ1K",
  ),
  hours: describeMember(
    z.int().min(1).max(MOST_PREVIEW_HOURS).nullish(),
    `How long the link works, in hours. Left out: ${DEFAULT_PREVIEW_HOURS}.`,
    48,
  ),
});

/** The body of PUT /watches/questions/{name}. */
export const WatchQuestionRequest = requestOf({
  creation_id: describeMember(idField(), "The id of a public work.", "01M7WVCCXGEVQM8BZ45NSYPBF2"),
  label: describeMember(
    z.string().nullish(),
    "The label of one of its files. Left out: its only file.",
    "Gauge readings",
  ),
  question: describeMember(
    questionField(),
    "What is asked of the file, in the members of a query; without a limit it finds all rows, at most 10,000.",
    { aggregate: [{ op: "max", column: "height_m" }] },
  ),
});

/** The body of a request that takes none, or an empty object. */
export const EmptyRequest = requestOf({});
