import { findJsonFault, sayPlace } from "../../../ground/json-syntax.ts";
import type { ChartProblem } from "./chart.ts";

/** The value of a block's text, or the reason why it is no JSON. */
export type JsonReading = { ok: true; value: unknown } | { ok: false; problem: ChartProblem };

/**
 * Reads a block as JSON: at most 64 levels deep, no NUL and no half surrogate pair in any text; of a repeated name
 * the last value counts. The problem names line and column within the block, both from 1, columns in code points.
 */
export function readBlockJson(source: string): JsonReading {
  if (!source.isWellFormed())
    return refuse("The block holds half of a surrogate pair; send well-formed Unicode.");
  const fault = findJsonFault(source);
  if (fault === null) return { ok: true, value: JSON.parse(source) };
  return refuse(`It is not JSON at ${sayPlace(source, fault.at)} of the block: ${fault.reason}.`);
}

function refuse(message: string): JsonReading {
  return { ok: false, problem: { path: "", message } };
}
