import type { FileFormat } from "../../tables/inspection/verdict.ts";
import type { DescribedColumn } from "./described-work.ts";

/** The type of a column as a Table Schema writes it, with the format or the values that the type needs. */
export function writeFieldType({ type, form }: DescribedColumn, format: FileFormat): { type: string } {
  switch (type) {
    case "number":
      return { type: form === "integer" ? "integer" : "number" };
    case "date":
      return DATE_TYPES[form ?? ""] ?? { type: "string" };
    case "boolean":
      return { type: "boolean", ...listSpellings(form ?? "") };
    case "object":
    case "array":
      return { type };
    case "mixed":
      // A JSON cell has a type of its own, a CSV cell is text in any case.
      return { type: format === "json" ? "any" : "string" };
    default:
      return { type: "string" };
  }
}

const DATE_TYPES: Readonly<Record<string, { type: string; format?: string }>> = {
  day: { type: "date" },
  month: { type: "yearmonth" },
  time: { type: "datetime" },
  times: { type: "datetime", format: "any" },
};

/** The spellings that occur; one that does not occur has those of the standard. */
function listSpellings(form: string): { trueValues?: string[]; falseValues?: string[] } {
  const spellings = form.split(" ");
  const [yes, no] = ["true", "false"].map((word) => spellings.filter((own) => own.toLowerCase() === word));
  return {
    ...(yes?.length ? { trueValues: yes } : {}),
    ...(no?.length ? { falseValues: no } : {}),
  };
}
