import { type Html, html, trustHtml } from "../parts/markup.ts";
import { countNoun, formatNumber } from "../parts/words.ts";
import { renderSection } from "./frame.ts";

/** The reads of thirty days, drawn by the service; null where nobody but robots came. */
export interface ReadsView {
  figureHtml: string | null;
  /** Reads by form, in words: "Pages" and how many. */
  forms: readonly { name: string; reads: number }[];
  robots: number;
}

/** How often something was read in thirty days, with a line for each form. */
export function renderReads(view: ReadsView): Html {
  return renderSection(
    "reads",
    "Reads in the last 30 days",
    html`<p>${describeReads(view)}</p>`,
    html`${view.figureHtml === null ? null : trustHtml(view.figureHtml)}`,
    html`<p class="small">What this site answered, by days in UTC; what other caches answered is not seen. Of readers nothing is kept.</p>`,
  );
}

/** Reads in a sentence: "Read 12 times: Pages 10, JSON 2. Robots came 3 times besides." */
export function describeReads({ forms, robots }: Pick<ReadsView, "forms" | "robots">): string {
  const sum = forms.reduce((so, { reads }) => so + reads, 0);
  const named = forms.filter(({ reads }) => reads > 0);
  const parts = named.map(({ name, reads }) => `${name} ${formatNumber(reads)}`).join(", ");
  const people = sum === 0 ? "Not read" : `Read ${countNoun(sum, "time")}: ${parts}`;
  return `${people}.${robots === 0 ? "" : ` Robots came ${countNoun(robots, "time")}${sum === 0 ? "" : " besides"}.`}`;
}
