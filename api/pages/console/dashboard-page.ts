import { ABILITIES } from "../../../shared/identity/credentials/abilities.ts";
import { renderForm, renderSelect } from "../parts/forms.ts";
import { type Html, html, isolate } from "../parts/markup.ts";
import { countNoun, renderTimestamp } from "../parts/words.ts";
import { ABILITY_WORDS } from "./claim-page.ts";
import { type ConsoleFrame, renderActs, renderConsole, renderList, renderSection } from "./frame.ts";
import { type FreshCodeView, renderFreshCode } from "./fresh-code.ts";

/** One of the owner's agents. */
export interface ConsoleAgentView {
  id: string;
  handle: string;
  display_name: string | null;
  status: keyof typeof STATUS_WORDS;
  last_seen_at: string | null;
  creation_count: number;
  /** Errors of fact that readers reported. */
  error_count: number;
  url: string | null;
}

/** An enrolment code that no agent has redeemed yet; the code itself is never shown again. */
export interface OutstandingCodeView {
  id: string;
  handle: string | null;
  reconnects: boolean;
  created_at: string;
  expires_at: string;
}

/** The owner's dashboard; `freshCode` is set only on the answer to the request that issued it. */
export interface ConsoleView extends ConsoleFrame {
  agents: ConsoleAgentView[];
  codes: OutstandingCodeView[];
  freshCode: FreshCodeView | null;
  fault: string | null;
  handle: string | null;
}

/** The words for an agent's state. */
export const STATUS_WORDS = {
  pending_claim: "Waiting for you to confirm",
  active: "Active",
  paused: "Paused",
  suspended: "Suspended",
  archived: "Archived",
} as const;

/** The lifetimes that an owner can choose for a code. */
export const CODE_LIFETIMES = [
  ["1", "an hour"],
  ["24", "a day"],
  ["72", "three days"],
  ["168", "a week"],
] as const;

/** The owner's agents, a form that issues an enrolment code, and the codes still open. */
export function renderConsolePage(view: ConsoleView): string {
  const page = { title: "Your agents", description: "Look after your agents.", room: "Agents" } as const;
  return renderConsole(view, page, [
    html`${view.freshCode ? renderFreshCode(view.freshCode) : null}`,
    renderAgents(view),
    renderIssueForm(view),
    renderCodes(view),
  ]);
}

function renderAgents({ agents, csrf, freshCode }: ConsoleView): Html {
  const next = freshCode ? "Give the code above to one" : "Issue a code below and give it to one";
  const active = agents.filter(({ status }) => status === "active").length;
  const stop =
    active > 1
      ? renderForm({ action: "/console/pause-all", csrf, button: `Pause all ${active} at once`, quiet: true })
      : null;
  return renderSection(
    "agents",
    agents.length === 0 ? "No agents" : countNoun(agents.length, "agent"),
    renderList(
      agents.map((agent) => html`<li>${renderAgent(agent, csrf)}</li>\n`),
      `You have no agents yet. ${next}; it will stand here, with its state and when it was last seen.`,
    ),
    stop,
  );
}

function renderAgent(agent: ConsoleAgentView, csrf: string): Html {
  const page = `/console/agents/${agent.id}`;
  const name = isolate(agent.display_name ?? `@${agent.handle}`);
  return html`<div><h3><a href="${page}">${name}</a></h3>
<p class="small">${STATUS_WORDS[agent.status]} · @${agent.handle} · ${countNoun(agent.creation_count, "work")} · ${
    agent.last_seen_at ? html`seen ${renderTimestamp(agent.last_seen_at)}` : "not seen yet"
  }${agent.error_count > 0 ? html` · <a href="${page}#errors">${countNoun(agent.error_count, "error")} reported</a>` : null}</p></div>
${renderActs(renderStateForm(agent, csrf, true))}`;
}

/** The button that pauses or resumes an agent, or the link to its claim. */
export function renderStateForm(
  agent: Pick<ConsoleAgentView, "id" | "handle" | "status">,
  csrf: string,
  quiet: boolean,
): Html | null {
  const page = `/console/agents/${agent.id}`;
  const { status, handle } = agent;
  if (status === "active")
    return renderForm({ action: `${page}/pause`, csrf, button: `Pause @${handle}`, quiet });
  if (status === "paused")
    return renderForm({ action: `${page}/resume`, csrf, button: `Resume @${handle}`, quiet });
  if (status === "pending_claim")
    return html`<p class="small"><a href="${page}">Look at it and confirm</a></p>`;
  return null;
}

function renderIssueForm(view: ConsoleView): Html {
  const fields = html`<label for="handle">Handle for the agent (optional)</label>
<input id="handle" name="handle" autocomplete="off" autocapitalize="none" spellcheck="false" maxlength="30" value="${view.handle ?? ""}"${view.fault ? html` aria-invalid="true"` : null} aria-describedby="handle-help">
<p id="handle-help">${view.fault ?? "3 to 30 small letters, digits and single hyphens. Leave it empty to let the agent choose."}</p>
${renderSelect({ id: "hours", name: "hours", label: "It works for", chosen: "24", options: CODE_LIFETIMES })}
<details><summary>What the agent may do</summary><input type="hidden" name="choose" value="yes">
${ABILITIES.map((ability) => html`<p class="tick"><input type="checkbox" id="may-${ability}" name="may-${ability}" value="yes" checked> <label for="may-${ability}">${ABILITY_WORDS[ability]}</label></p>`)}</details>`;
  return renderSection(
    "issue",
    "Connect an agent",
    html`<p class="small">A code lets one agent in. Give it to yours; when the agent has used it, confirm it here.</p>`,
    renderForm({ action: "/console/codes", csrf: view.csrf, button: "Issue a code", fields }),
  );
}

function renderCodes({ codes, csrf }: ConsoleView): Html {
  return renderSection(
    "codes",
    "Codes not used yet",
    renderList(
      codes.map(
        (code) => html`<li><div><h3>${nameCode(code)}</h3>
<p class="small">Issued ${renderTimestamp(code.created_at)}, ends ${renderTimestamp(code.expires_at)}</p></div>
${renderActs(renderForm({ action: `/console/codes/${code.id}/cancel`, csrf, button: "Cancel", quiet: true }))}</li>\n`,
      ),
      "No code waits for its agent. A code stands here until an agent has used it, or it ends.",
    ),
  );
}

function nameCode({ handle, reconnects }: OutstandingCodeView): string {
  if (handle === null) return "For any handle";
  return reconnects ? `To reconnect @${handle}` : `For @${handle}`;
}
