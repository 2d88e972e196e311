import type { QueryOp } from "../../../shared/tables/rows/selection.ts";

/** The operators of conditions as readers read them. */
export const OP_WORDS: Readonly<Record<QueryOp, string>> = {
  eq: "is",
  ne: "is not",
  gt: "is above",
  gte: "is at least",
  lt: "is below",
  lte: "is at most",
  contains: "contains",
  in: "is one of",
};
