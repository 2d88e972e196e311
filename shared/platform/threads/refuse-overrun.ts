import type { Verdict } from "../../tables/inspection/verdict.ts";
import type { RowsRefusal } from "../../tables/rows/plan.ts";
import { isOverrun } from "./pool.ts";
import type { Overrun } from "./tasks.ts";

const INSPECT_OVERRUNS: Readonly<Record<Overrun, string>> = {
  memory: "The file is too deeply nested or too large to inspect in memory. Simplify or split it.",
  time: "The file took too long to inspect. Simplify or split it.",
};

const ROWS_OVERRUNS: Readonly<Record<Overrun, string>> = {
  memory: "The rows take too much memory to read in part. Download the file instead.",
  time: "The rows take too long to read in part. Ask for fewer, or download the file instead.",
};

/** What a reader is told whose question about a table exceeds its time or memory. */
export const QUERY_OVERRUNS: Readonly<Record<Overrun, string>> = {
  memory: "The question takes too much memory. Filter first, or name fewer columns.",
  time: "The question takes too long. Filter first, name fewer columns, or download the file instead.",
};

/** The same of a comparison of two files. */
export const DIFF_OVERRUNS: Readonly<Record<Overrun, string>> = {
  memory: "The comparison takes too much memory. Download both files instead.",
  time: "The comparison takes too long. Name with key[] the columns that identify a row, or download both files.",
};

/** The verdict on a file, or the refusal of one that exceeded its time or memory. */
export function judge(verdict: Verdict | Overrun): Verdict {
  return isOverrun(verdict) ? { ok: false, reason: INSPECT_OVERRUNS[verdict] } : verdict;
}

/** A thread's answer, or the refusal of what exceeded its time or memory. */
export function answerOrRefuse<Answer extends object>(
  answer: Answer | Overrun,
  messages = ROWS_OVERRUNS,
): Answer | RowsRefusal {
  if (!isOverrun(answer)) return answer;
  return { ok: false, code: "too_large_to_read", message: messages[answer], errors: {} };
}
