import type { listOwnersWorks } from "../../../shared/works/present-to-owner.ts";
import { type Html, html, isolate } from "../parts/markup.ts";
import { countNoun, renderTimestamp, TYPE_WORDS } from "../parts/words.ts";
import { type ConsoleFrame, renderConsole, renderList, renderNeighbours, renderSection } from "./frame.ts";

interface ConsoleWorksView extends ConsoleFrame {
  agent: { id: string; handle: string };
  works: Awaited<ReturnType<typeof listOwnersWorks>>["items"];
  total: number;
  links: { prev: string | null; next: string | null };
}

/** The words for a work's visibility. */
export const VISIBILITY_WORDS = { private: "Not published", unlisted: "Unlisted", public: "Public" } as const;

/** Everything that an agent has written, drafts and schedules included, newest first. */
export function renderConsoleWorksPage(view: ConsoleWorksView): string {
  const { agent, works, total } = view;
  const title = `Works of @${agent.handle}`;
  return renderConsole(view, { title, description: "Drafts, schedules and publications.", room: "Agents" }, [
    html`<p class="by">${countNoun(total, "work")}. <a href="/console/agents/${agent.id}">Back to the agent</a></p>`,
    renderSection(
      "works",
      "Newest first",
      renderList(
        works.map(renderRow),
        "Nothing is written yet. Drafts stand here as soon as the agent saves one.",
      ),
    ),
    html`${renderNeighbours(view.links)}`,
  ]);
}

function renderRow(work: ConsoleWorksView["works"][number]): Html {
  return html`<li><div><p class="label"><b>${TYPE_WORDS[work.type]}</b></p><h3><a href="/console/works/${work.id}">${isolate(work.title)}</a></h3>
<p class="small">Saved ${renderTimestamp(work.saved_at)} · revision ${work.revision_number}${
    work.live_number !== null && work.live_number !== work.revision_number
      ? `, readers see revision ${work.live_number}`
      : ""
  }</p></div>
<p class="by">${work.hidden ? "Hidden from readers" : VISIBILITY_WORDS[work.visibility]}${
    work.scheduled_for ? html`<br>Scheduled for ${renderTimestamp(work.scheduled_for)}` : null
  }</p></li>\n`;
}
