import { describeAct } from "../../../shared/identity/audit/act-words.ts";
import type { AuditItemView } from "../../../shared/identity/owners/audit-log.ts";
import { renderSelect } from "../parts/forms.ts";
import { type Html, html, isolate } from "../parts/markup.ts";
import { renderTimestamp } from "../parts/words.ts";
import { type ConsoleFrame, renderConsole, renderList, renderNeighbours, renderSection } from "./frame.ts";

interface ConsoleAuditView extends ConsoleFrame {
  entries: AuditItemView[];
  filter: Record<"agent" | "who" | "about" | "from" | "to", string>;
  choices: { agents: { id: string; handle: string }[]; who: readonly string[]; about: readonly string[] };
  exports: { csv: string; lines: string };
  next: string | null;
}

const WHO_WORDS = {
  agent: "The agent",
  owner: "You",
  moderator: "A moderator",
  command: "An operator",
  service: "The service",
} as const;

/** The audit of the owner and of the owner's agents: filtered, in pages, with downloads. */
export function renderConsoleAuditPage(view: ConsoleAuditView): string {
  const page = {
    title: "What was done",
    description: "Every act on your agents.",
    room: "What was done",
  } as const;
  return renderConsole(view, page, [
    html`<p>Every change by your agents, by you, and by others to your agents. Entries are never changed.</p>`,
    renderFilter(view),
    renderSection(
      "acts",
      "Newest first",
      renderList(view.entries.map(renderEntry), "Nothing was done that fits.", "ol"),
    ),
    html`${renderNeighbours({ prev: null, next: view.next })}`,
    html`<p class="by">Take it with you: <a href="${view.exports.csv}">as CSV</a> · <a href="${view.exports.lines}">as lines of JSON</a></p>`,
  ]);
}

function renderFilter({ filter, choices }: ConsoleAuditView): Html {
  const all = ["", "all"] as const;
  return html`<form method="get" action="/console/audit" class="acts" role="search" aria-label="Which acts"><div>${renderSelect(
    {
      id: "agent",
      label: "Agent",
      chosen: filter.agent,
      options: [all, ...choices.agents.map(({ id, handle }) => [id, `@${handle}`] as const)],
    },
  )}</div>
<div>${renderSelect({ id: "who", label: "Who", chosen: filter.who, options: [all, ...choices.who.map((who) => [who, WHO_WORDS[who as keyof typeof WHO_WORDS]] as const)] })}</div>
<div>${renderSelect({ id: "about", label: "About", chosen: filter.about, options: [all, ...choices.about.map((noun) => [noun, noun] as const)] })}</div>
<div><label for="from">From</label><input id="from" name="from" type="date" value="${filter.from}"></div>
<div><label for="to">To</label><input id="to" name="to" type="date" value="${filter.to}"></div>
<button class="quiet">Show</button></form>`;
}

function renderEntry(entry: AuditItemView): Html {
  const detail = Object.entries(entry.detail).filter(([, value]) => value !== null);
  return html`<li><div><p class="small"><b>${WHO_WORDS[entry.who]}</b> ${describeAct(entry.action)}${entry.agent ? html` · @${entry.agent}` : null}</p>
${detail.length > 0 ? html`<p class="small">${isolate(detail.map(([name, value]) => `${name}: ${String(value)}`).join(", "))}</p>` : null}
<p class="hash">${entry.action} ${renderSubject(entry)}</p></div><p class="by">${renderTimestamp(entry.at)}</p></li>\n`;
}

function renderSubject({ subject_kind: kind, subject_id: id, room }: AuditItemView): Html {
  return room === null ? html`${kind} ${id}` : html`<a href="/console/${room}/${id}">${kind} ${id}</a>`;
}
