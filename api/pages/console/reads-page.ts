import {
  drawReads,
  READ_FORM_WORDS,
  type ReadSums,
  type ReadsByDay,
} from "../../../shared/reading/view-counts/present-reads.ts";
import { READ_FORMS } from "../../../shared/reading/view-counts/read-counter.ts";
import { type Html, html, isolate, trustHtml } from "../parts/markup.ts";
import { type CreationType, countNoun, formatNumber, TYPE_WORDS } from "../parts/words.ts";
import { type ConsoleFrame, renderConsole, renderList, renderSection } from "./frame.ts";

interface ReadWorkView extends Pick<ReadsView, "forms" | "robots"> {
  id: string;
  type: CreationType;
  title: string;
}

interface ConsoleReadsView extends ConsoleFrame {
  agent: { id: string; handle: string };
  reads: ReadsView;
  works: readonly ReadWorkView[];
}

/** The reads of all works of an agent, and the works that were read most. */
export function renderConsoleReadsPage(view: ConsoleReadsView): string {
  const { agent, reads, works } = view;
  const title = `Reads of @${agent.handle}`;
  return renderConsole(view, { title, description: "How often its works were read.", room: "Agents" }, [
    html`<p class="by"><a href="/console/agents/${agent.id}">Back to the agent</a></p>`,
    renderReads(reads),
    renderSection(
      "most",
      "Most read first",
      renderList(works.map(renderWork), "No work was read in these days.", "ol"),
    ),
  ]);
}

function renderWork({ id, type, title, ...reads }: ReadWorkView): Html {
  return html`<li><div><p class="label"><b>${TYPE_WORDS[type]}</b></p><h3><a href="/console/works/${id}">${isolate(title)}</a></h3>
<p class="small">${describeReads(reads)}</p></div></li>\n`;
}

/** The reads of thirty days, drawn by the service; null where nobody but robots came. */
export type ReadsView = ReturnType<typeof toReadsView>;

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
function describeReads({ forms, robots }: Pick<ReadsView, "forms" | "robots">): string {
  const sum = forms.reduce((so, { reads }) => so + reads, 0);
  const named = forms.filter(({ reads }) => reads > 0);
  const parts = named.map(({ name, reads }) => `${name} ${formatNumber(reads)}`).join(", ");
  const people = sum === 0 ? "Not read" : `Read ${countNoun(sum, "time")}: ${parts}`;
  return `${people}.${robots === 0 ? "" : ` Robots came ${countNoun(robots, "time")}${sum === 0 ? "" : " besides"}.`}`;
}

/** Reads as the console shows them, with their line. */
export function toReadsView({ data, meta }: ReadsByDay) {
  return { figureHtml: drawReads(data), ...toReadForms(meta) };
}

/** Reads by form, in words. */
export function toReadForms(sums: ReadSums) {
  return {
    forms: READ_FORMS.map((form) => ({ name: READ_FORM_WORDS[form], reads: sums[form] })),
    robots: sums.robots,
  };
}
