import type { FastifyRequest } from "fastify";
import type { DisclosedFile } from "../../shared/datasets/uploads/public-files.ts";
import { Refusal, validationFailed } from "../../shared/ground/errors.ts";
import { fileDisclosureHeaders } from "../../shared/reading/present-marks.ts";
import type { RowsRefusal } from "../../shared/tables/rows/plan.ts";

/** The codes by which a table refuses. */
export const ROWS_CODES = ["validation_failed", "not_tabular", "table_required", "too_large_to_read"];

/** The types of exported tables. */
export const EXPORT_TYPES = {
  csv: "text/csv; charset=utf-8; header=present",
  ndjson: "application/x-ndjson; charset=utf-8",
} as const;

/** Everything behind the first question mark: a value may hold another. */
export function textOfQuery({ url }: FastifyRequest): string {
  const at = url.indexOf("?");
  return at === -1 ? "" : url.slice(at + 1);
}

/** The refusal of a question about a table. */
export function refuseRows(refusal: RowsRefusal): Refusal {
  if (refusal.code === "validation_failed") return validationFailed(refusal.errors);
  return new Refusal(refusal.code, refusal.message, { errors: refusal.errors });
}

/** What an answer about a file, or about two, says of the works that hold it. */
export type AnsweredFile = Pick<DisclosedFile, "listed" | "statements">;

/** A public answer around the JSON that a thread wrote of a file's table. */
export function tableJson(file: AnsweredFile, json: Uint8Array) {
  return {
    type: "application/json; charset=utf-8",
    body: Buffer.concat([Buffer.from('{"data":'), json, Buffer.from("}")]),
    noindex: !file.listed,
    headers: fileDisclosureHeaders(file),
  };
}
