import { validationFailed } from "../../shared/ground/errors.ts";
import { refuseName } from "../../shared/ground/nearest-name.ts";

const FORMATS = ["json", "table"];

/** The option of every command whose answer may be a table. */
export const FORMAT_OPTION = [
  "--format <json|table>",
  "the form of the answer: a table on a terminal, else JSON",
] as const;

/** Whether a table is wanted: on a terminal, unless the option says otherwise. */
export function isTable(format: string | undefined): boolean {
  if (format === undefined) return process.stdout.isTTY === true;
  if (!FORMATS.includes(format))
    throw validationFailed({ format: [refuseName(format, { kind: "format", taker: "command" }, FORMATS)] });
  return format === "table";
}
