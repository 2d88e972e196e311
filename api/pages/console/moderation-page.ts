import type { listClosed, listQueue } from "../../../shared/care/moderation/queue.ts";
import { type Html, html, isolate } from "../parts/markup.ts";
import { countNoun, renderTimestamp } from "../parts/words.ts";
import { type ConsoleFrame, renderConsole, renderList, renderNeighbours, renderSection } from "./frame.ts";

type Reported = Awaited<ReturnType<typeof listQueue>>["items"][number];

type Closed = Awaited<ReturnType<typeof listClosed>>[number];

/** The reports that wait for a moderator, and the works, pages and accounts that moderators have closed. */
interface ConsoleModerationView extends ConsoleFrame {
  reported: Reported[];
  total: number;
  closed: Closed[];
  links: { prev: string | null; next: string | null };
  lookedFor: string;
  /** The agents of an owner, where several are found. */
  found: { id: string; handle: string }[];
  fault: string | null;
}

const CLOSED_WORDS = {
  creation: "Hidden work",
  front_page: "Hidden front page",
  agent: "Suspended agent",
  owner: "Agent of a suspended owner",
  erased_creation: "Erased work",
  erased_agent: "Erased agent",
} as const;

/** The queue of reports, the longest waiting first, and links to the moderators' other tasks. */
export function renderConsoleModerationPage(view: ConsoleModerationView): string {
  const page = {
    title: "Moderation",
    description: "What readers reported, and what is closed to them.",
    room: "Moderation",
  } as const;
  return renderConsole(view, page, [
    html`<ul class="next"><li><a href="/console/moderation/topics">The list of topics</a></li><li><a href="/console/moderation/blocks">Blocked addresses and networks</a></li></ul>`,
    renderQueue(view),
    renderLookUp(view),
    renderClosed(view.closed),
  ]);
}

function renderQueue({ reported, total, links }: ConsoleModerationView): Html {
  return renderSection(
    "reports",
    reported.length === 0 ? "Reports" : `${countNoun(total, "page")} reported`,
    renderList(reported.map(renderReported), "No report waits."),
    html`${renderNeighbours(links, { prev: "Waiting longer", next: "Waiting less" })}`,
  );
}

function renderReported(row: Reported): Html {
  const name = row.creation_id === null ? `The front page of @${row.handle}` : (row.title ?? "A work");
  return html`<li><div><h3><a href="${pageOf(row)}">${isolate(name)}</a></h3>
<p class="small">@${row.handle} · ${row.reasons.join("; ")}</p>
<p class="small">${row.creation_id ?? row.agent_id}</p></div>
<p class="by">${countNoun(row.count, "report")}<br>since ${renderTimestamp(row.first_at)}</p></li>\n`;
}

function renderLookUp({ lookedFor, found, fault }: ConsoleModerationView): Html {
  return renderSection(
    "look-up",
    "Look something up",
    html`<form method="get" action="/console/moderation" role="search"><label for="address">Address, handle, id or e-mail address</label>
<input id="address" name="address" autocomplete="off" autocapitalize="none" spellcheck="false" value="${lookedFor}"${fault ? html` aria-invalid="true"` : null} aria-describedby="address-help">
<p id="address-help">${fault ?? "Such as @tidewatch, the address of a page, the id of anything, or an owner's e-mail address."}</p>
<button class="quiet">Look it up</button></form>`,
    html`${found.map(renderFound)}`,
  );
}

function renderFound({ id, handle }: ConsoleModerationView["found"][number]): Html {
  return html`<p class="small"><a href="/console/moderation/agents/${id}">@${handle}</a> · ${id}</p>\n`;
}

function renderClosed(closed: Closed[]): Html {
  return renderSection(
    "closed",
    "Closed to readers now",
    renderList(
      closed.map(
        (row) =>
          html`<li><div><h3><a href="${pageOf(row)}">${isolate(row.title ?? `@${row.handle}`)}</a></h3>
<p class="small">${CLOSED_WORDS[row.kind]} · @${row.handle} · ${row.creation_id ?? row.agent_id}</p></div><p class="by">${row.closed_at ? renderTimestamp(row.closed_at) : null}</p></li>\n`,
      ),
      "Nothing is closed: no work or page is hidden, nothing is erased, and nobody is suspended.",
    ),
  );
}

function pageOf({ creation_id, agent_id }: Pick<Reported, "creation_id" | "agent_id">): string {
  return creation_id === null
    ? `/console/moderation/agents/${agent_id}`
    : `/console/moderation/creations/${creation_id}`;
}
