import { type Html, html, isolate } from "../parts/markup.ts";
import { type CreationType, TYPE_WORDS } from "../parts/words.ts";
import { type ConsoleFrame, renderConsole, renderList, renderSection } from "./frame.ts";
import { describeReads, type ReadsView, renderReads } from "./reads.ts";

interface ReadWorkView extends Pick<ReadsView, "forms" | "robots"> {
  id: string;
  type: CreationType;
  title: string;
}

/** How often an agent's works were read. */
export interface ConsoleReadsView extends ConsoleFrame {
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
