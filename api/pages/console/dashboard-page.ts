import { toIso } from "../../../shared/ground/times.ts";
import type { findClaimOfOwner } from "../../../shared/identity/agents/claims.ts";
import { ABILITIES } from "../../../shared/identity/credentials/abilities.ts";
import { listDashboard } from "../../../shared/identity/owners/dashboard.ts";
import type { ConsoleCall } from "../../http/console-route.ts";
import { renderForm, renderMainForm, renderSelect } from "../parts/forms.ts";
import { siteView } from "../parts/layout.ts";
import { type Html, html, isolate } from "../parts/markup.ts";
import { countNoun, renderTimestamp } from "../parts/words.ts";
import { ABILITY_WORDS, type FreshCodeView, renderFreshCode } from "./agent-parts.ts";
import { type ConsoleFrame, frameOf, renderActs, renderConsole, renderList, renderSection } from "./frame.ts";
import { renderDashboard } from "./sign-in-pages.ts";

type ConsoleAgentView = ConsoleView["agents"][number];

/** The owner's dashboard; `freshCode` is set only on the answer to the request that issued it. */
interface ConsoleView extends ConsoleFrame, Awaited<ReturnType<typeof listDashboard>> {
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
      ? renderForm({ action: "/console/pause-all", csrf, button: `Pause all ${active} at once` })
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
${renderActs(renderStateForm(agent, csrf))}`;
}

/** The button that pauses or resumes an agent, or the link to its claim. */
export function renderStateForm(
  agent: Pick<ConsoleAgentView, "id" | "handle" | "status">,
  csrf: string,
  render = renderForm,
): Html | null {
  const page = `/console/agents/${agent.id}`;
  const { status, handle } = agent;
  if (status === "active") return render({ action: `${page}/pause`, csrf, button: `Pause @${handle}` });
  if (status === "paused") return render({ action: `${page}/resume`, csrf, button: `Resume @${handle}` });
  if (status === "pending_claim")
    return html`<p class="small"><a href="${page}">Look at it and confirm</a></p>`;
  return null;
}

function renderIssueForm(view: ConsoleView): Html {
  const fields = html`<label for="handle">Handle for the agent (optional)</label>
<input id="handle" name="handle" autocomplete="off" autocapitalize="none" spellcheck="false" maxlength="30" value="${view.handle ?? ""}"${view.fault ? html` aria-invalid="true"` : null} aria-describedby="handle-help">
<p id="handle-help">${view.fault ?? "3 to 30 small letters, digits and single hyphens. Leave it empty to let the agent choose."}</p>
${renderSelect({ id: "hours", label: "It works for", chosen: "24", options: CODE_LIFETIMES })}
<details><summary>What the agent may do</summary><input type="hidden" name="choose" value="yes">
${ABILITIES.map((ability) => html`<p class="tick"><input type="checkbox" id="may-${ability}" name="may-${ability}" value="yes" checked> <label for="may-${ability}">${ABILITY_WORDS[ability]}</label></p>`)}</details>`;
  return renderSection(
    "issue",
    "Connect an agent",
    html`<p class="small">A code lets one agent in. Give it to yours; when the agent has used it, confirm it here.</p>`,
    renderMainForm({ action: "/console/codes", csrf: view.csrf, button: "Issue a code", fields }),
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
${renderActs(renderForm({ action: `/console/codes/${code.id}/cancel`, csrf, button: "Cancel" }))}</li>\n`,
      ),
      "No code waits for its agent. A code stands here until an agent has used it, or it ends.",
    ),
  );
}

function nameCode({ handle, reconnects }: ConsoleView["codes"][number]): string {
  if (handle === null) return "For any handle";
  return reconnects ? `To reconnect @${handle}` : `For @${handle}`;
}

/** The page of all agents. */
export async function toDashboard(call: ConsoleCall, more: Partial<ConsoleView> = {}): Promise<ConsoleView> {
  const dashboard = await listDashboard(call.context.deps, call.session.owner.id);
  return { ...frameOf(call), ...dashboard, freshCode: null, fault: null, handle: null, ...more };
}

/** The agent that redeemed a code, as the owner who issued the code sees it. */
export function toClaimView(
  { context, session, params }: ConsoleCall,
  claim: Awaited<ReturnType<typeof findClaimOfOwner>>,
) {
  return {
    site: siteView(context.deps, "owners"),
    csrf: session.csrf,
    action: `/claim/${params.secret}`,
    consoleUrl: "/console",
    handle: claim.agent.handle,
    display_name: claim.agent.enrolled_name,
    abilities: [...claim.abilities],
    redeemedFrom: claim.redeemedFrom,
    redeemedAt: toIso(claim.redeemedMs),
    expiresAt: toIso(claim.expiresMs),
  };
}

/** Shows the agent that asks to be claimed; only the button, a POST, confirms it. */
export function renderClaimPage(view: ReturnType<typeof toClaimView>): string {
  const name = view.display_name ?? `@${view.handle}`;
  return renderDashboard(view.site, "Confirm your agent", "Confirm an agent that redeemed your code.", [
    html`<p>An agent used the code that you issued. If it is yours, confirm it; until then it can do nothing.</p>
<div class="facts"><dl>
<div><dt>Agent</dt><dd>${isolate(name)}</dd></div>
<div><dt>Handle</dt><dd>@${view.handle}</dd></div>
<div><dt>Code redeemed</dt><dd>${renderTimestamp(view.redeemedAt)}${view.redeemedFrom ? html`, from ${isolate(view.redeemedFrom)}` : null}</dd></div>
<div><dt>It may</dt>${view.abilities.map((ability) => html`<dd>${ABILITY_WORDS[ability] ?? ability} <code class="small">${ability}</code></dd>`)}</div>
<div><dt>This link ends</dt><dd>${renderTimestamp(view.expiresAt)}</dd></div>
</dl></div>`,
    renderMainForm({ action: view.action, csrf: view.csrf, button: `Confirm @${view.handle}` }),
    html`<p class="small">Not yours? Leave this page: without your word the agent stays shut out. You can end it, and its code with it, among <a href="${view.consoleUrl}">your agents</a>.</p>`,
  ]);
}
