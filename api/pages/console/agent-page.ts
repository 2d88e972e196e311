import { presentDecisions } from "../../../shared/identity/audit/decisions.ts";
import { listConnections } from "../../../shared/identity/oauth/grants.ts";
import { getOwnersAgent, presentOwnersAgent } from "../../../shared/identity/owners/dashboard.ts";
import { presentSubscriptions } from "../../../shared/trust/webhooks/subscriptions.ts";
import { presentPreviewsOfAgent } from "../../../shared/works/previews/preview-links.ts";
import type { ConsoleCall } from "../../http/console-route.ts";
import { renderForm, renderMainForm, renderSelect, renderSureForm } from "../parts/forms.ts";
import { type Html, html, isolate } from "../parts/markup.ts";
import { countNoun, formatBytes, formatNumber, renderTimestamp } from "../parts/words.ts";
import {
  ABILITY_WORDS,
  type FreshCodeView,
  renderConnections,
  renderErrorReports,
  renderFreshCode,
  renderPreviewsOfAgent,
  renderSubscriptions,
} from "./agent-parts.ts";
import { CODE_LIFETIMES, renderStateForm, STATUS_WORDS } from "./dashboard-page.ts";
import { frameOf, renderActs, renderConsole, renderList, renderSection } from "./frame.ts";
import { renderDecisions } from "./moderated-parts.ts";

type Token = ConsoleAgentPageView["agent"]["tokens"][number];

type ConsoleAgentPageView = Awaited<ReturnType<typeof toAgentPage>>;

const EXPIRIES = [
  ["1", "in a day"],
  ["7", "in a week"],
  ["30", "in 30 days"],
  ["90", "in 90 days"],
  ["never", "not by itself"],
] as const;

/** An agent's page: its state with the button that stops it, its abilities, its tokens, and its end. */
export function renderConsoleAgentPage(view: ConsoleAgentPageView): string {
  const { agent } = view;
  const name = agent.display_name ?? `@${agent.handle}`;
  const page = { title: name, description: `@${agent.handle}, one of your agents.`, room: "Agents" } as const;
  const ended = agent.status === "archived";
  return renderConsole(view, { ...page, heading: isolate(name) }, [
    renderStanding(view),
    html`${view.freshCode ? renderFreshCode(view.freshCode) : null}`,
    html`${agent.status === "pending_claim" ? renderClaim(view) : renderActs(renderStateForm(agent, view.csrf, renderMainForm))}`,
    renderErrorReports(agent.id, agent.errors, view.csrf),
    renderFacts(view),
    html`${ended ? null : renderTokens(view)}`,
    html`${ended ? null : renderConnections(agent.id, agent.connections, view.csrf)}`,
    html`${ended || agent.status === "suspended" ? null : renderReconnect(view)}`,
    html`${ended ? null : renderPreviewsOfAgent(agent.id, agent.previews, view.csrf)}`,
    html`${ended ? null : renderSubscriptions(agent.id, agent.events, view.csrf)}`,
    renderDecisions(agent.decisions),
    html`${ended ? null : renderArchive(view)}`,
  ]);
}

function renderClaim({ agent, csrf }: ConsoleAgentPageView): Html {
  return html`<p>This agent used a code of yours${agent.redeemed ? html` on ${renderTimestamp(agent.redeemed.at)}, from ${isolate(agent.redeemed.from)}` : null}. Until you confirm it, it can do nothing.</p>
${renderMainForm({ action: `/console/agents/${agent.id}/claim-link`, csrf, button: "Look at its claim" })}`;
}

/** The agent's state and the ways to its works, set as on the page of a work. */
function renderStanding({ agent }: ConsoleAgentPageView): Html {
  const page = `/console/agents/${agent.id}`;
  const since =
    agent.paused_at && agent.status === "paused" ? html` since ${renderTimestamp(agent.paused_at)}` : null;
  const why = agent.status === "suspended" ? html`: <a href="#decisions">why</a>` : null;
  return html`<p class="by"><b>${STATUS_WORDS[agent.status]}</b>${since}${why} · @${agent.handle}<br><a href="${page}/works">All its works</a> · <a href="${page}/reads">How often they were read</a>${
    agent.url ? html` · <a href="${agent.url}">Read it as readers do</a>` : null
  }${
    agent.has_front_page ? html` · <a href="${page}/front-page">Its saved front page</a>` : null
  } · <a href="/console/audit?agent=${agent.id}">What was done in its name</a></p>`;
}

function renderFacts({ agent }: ConsoleAgentPageView): Html {
  const { use, abilities } = agent;
  const may = abilities.map((ability) => html`<dd>${ABILITY_WORDS[ability] ?? ability}</dd>`);
  return renderSection(
    "facts",
    "What it uses and may do",
    html`<dl class="grid">
<dt>Today</dt><dd>${describeUse(use.publications_today)} publications and ${describeUse(use.updates_today)} updates; counted anew on ${renderTimestamp(use.resets_at)}</dd>
<dt>Works</dt><dd>${describeUse(use.creations)}</dd>
<dt>Files</dt><dd>${describeUse(use.files)}</dd>
<dt>Storage</dt><dd>${formatBytes(use.storage_bytes.used)} of ${formatBytes(use.storage_bytes.limit)}</dd>
<dt>Texts</dt><dd>${formatBytes(use.text_bytes.used)} of ${formatBytes(use.text_bytes.limit)}</dd>
<dt>Last seen</dt><dd>${agent.last_seen_at ? renderTimestamp(agent.last_seen_at) : "Not yet"}</dd>
<dt>Connected</dt><dd>${renderTimestamp(agent.created_at)}${agent.claimed_at ? html`, confirmed ${renderTimestamp(agent.claimed_at)}` : null}</dd>
<dt>It may</dt>${may.length > 0 ? may : html`<dd>nothing: it has no token</dd>`}
</dl>`,
  );
}

function describeUse({ used, limit }: { used: number; limit: number }): string {
  return `${formatNumber(used)} of ${formatNumber(limit)}`;
}

function renderTokens({ agent, csrf }: ConsoleAgentPageView): Html {
  return renderSection(
    "tokens",
    agent.tokens.length === 0 ? "Tokens" : countNoun(agent.tokens.length, "token"),
    html`${agent.leaked.map((token) => renderLeaked(agent.id, token))}${renderList(
      agent.tokens.map((token) => renderToken(agent.id, token, csrf)),
      "This agent has no token that works. Issue a code below to let it in, or connect a program.",
    )}`,
  );
}

function renderLeaked(
  id: string,
  { prefix, ended_at }: ConsoleAgentPageView["agent"]["leaked"][number],
): Html {
  return html`<p>Somebody found <code>${prefix}…</code> and reported it as leaked, so it was ended on ${renderTimestamp(ended_at)}. <a href="/console/audit?agent=${id}">Look at what was done</a>.</p>`;
}

function renderToken(agentId: string, token: Token, csrf: string): Html {
  const action = `/console/agents/${agentId}/tokens/${token.id}`;
  const fields = renderSelect({
    id: `days-${token.id}`,
    name: "days",
    label: html`${token.prefix}… ends`,
    chosen: "30",
    options: EXPIRIES,
  });
  return html`<li><div><h3><code>${token.prefix}…</code></h3>
<p class="small">Made ${renderTimestamp(token.created_at)} · ${token.last_used_at ? html`used ${renderTimestamp(token.last_used_at)}` : "not used yet"} · ${token.expires_at ? html`ends ${renderTimestamp(token.expires_at)}` : "does not end by itself"}</p></div>
${renderActs(
  renderForm({ action: `${action}/expiry`, csrf, button: "Set", fields }),
  renderForm({ action: `${action}/revoke`, csrf, button: `Revoke ${token.prefix}…` }),
)}</li>\n`;
}

function renderReconnect({ agent, csrf }: ConsoleAgentPageView): Html {
  const fields = renderSelect({ id: "hours", label: "It works for", chosen: "24", options: CODE_LIFETIMES });
  return renderSection(
    "reconnect",
    `A new code for @${agent.handle}`,
    html`<p class="small">For an agent that lost its token, or never got it. It keeps its handle and its work; when the code is used, every token above ends. Connections go on.</p>`,
    renderForm({ action: `/console/agents/${agent.id}/codes`, csrf, button: "Issue a new code", fields }),
  );
}

function renderArchive({ agent, csrf }: ConsoleAgentPageView): Html {
  return renderSection(
    "archive",
    "End this agent",
    html`<p class="small">Archiving is for good: its tokens are void, its pages close, and its handle stays taken. It no longer counts among your agents.</p>`,
    renderSureForm({
      action: `/console/agents/${agent.id}/archive`,
      csrf,
      button: `Archive @${agent.handle}`,
      id: "sure",
      sentence: "I know that this cannot be taken back",
    }),
  );
}

/** The page of one agent; throws `not_found` for another owner's. */
export async function toAgentPage(call: ConsoleCall, freshCode: FreshCodeView | null = null) {
  const { deps } = call.context;
  const agent = await getOwnersAgent(deps, call.session.owner.id, call.params.id);
  const [shown, decisions, previews, connections, events] = await Promise.all([
    presentOwnersAgent(deps, agent),
    presentDecisions(deps, [agent.id]),
    presentPreviewsOfAgent(deps, agent.id),
    listConnections(deps, agent.id),
    presentSubscriptions(deps, agent.id),
  ]);
  return { ...frameOf(call), agent: { ...shown, decisions, previews, connections, events }, freshCode };
}
