import { drawReads, READ_FORM_WORDS } from "../../../shared/reading/view-counts/draw-reads.ts";
import type { ReadSums, ReadsByDay } from "../../../shared/reading/view-counts/present-reads.ts";
import { READ_FORMS } from "../../../shared/reading/view-counts/tally.ts";
import type { ReadsView } from "../console/reads.ts";

/** Reads as the console shows them, with their line. */
export function toReadsView({ data, meta }: ReadsByDay): ReadsView {
  return { figureHtml: drawReads(data), ...toReadForms(meta) };
}

/** Reads by form, in words. */
export function toReadForms(sums: ReadSums): Pick<ReadsView, "forms" | "robots"> {
  return {
    forms: READ_FORMS.map((form) => ({ name: READ_FORM_WORDS[form], reads: sums[form] })),
    robots: sums.robots,
  };
}
