import type { Refusal } from "../../../shared/ground/errors.ts";
import { toUlid } from "../../../shared/ground/ids.ts";
import type { AuthorizationRequest } from "../../../shared/identity/oauth/authorization-request.ts";
import { CONSENT_DAYS, NEW_AGENT, UNTIL_ENDED } from "../../../shared/identity/oauth/consent.ts";
import { listConnections } from "../../../shared/identity/oauth/grants.ts";
import { listDashboard } from "../../../shared/identity/owners/dashboard.ts";
import type { SignedIn } from "../../../shared/identity/sign-in/sessions.ts";
import type { Deps } from "../../../shared/platform/deps.ts";
import { renderForm, renderSelect } from "../parts/forms.ts";
import { type SiteView, siteView } from "../parts/layout.ts";
import { type Html, html, isolate } from "../parts/markup.ts";
import { countNoun } from "../parts/words.ts";
import { ABILITY_WORDS, type Connection, describeConnection } from "./agent-parts.ts";
import { renderActs, renderDashboardSheet, renderList, renderSection } from "./frame.ts";
import { renderDashboard } from "./sign-in-pages.ts";

/** A program that asks to act as an agent, as the owner who decides sees it. */
type ConsentView = Awaited<ReturnType<typeof toConsentPage>>;

const DURATIONS = [
  ...CONSENT_DAYS.map((days) => [days, `${days} days`] as const),
  [UNTIL_ENDED, "until I end it"],
] as const;
const USUAL_DAYS = "90";

/** Asks an owner whether a program may act as one of the agents, and as which. */
export function renderConsentPage(view: ConsentView): string {
  const { client } = view;
  return renderDashboard(view.site, "Connect a program", "Decide whether a program may act as your agent.", [
    renderDashboardSheet(),
    html`<p>A program asks to act as one of your agents${view.abilities.some((ability) => ability.endsWith(":publish")) ? ": to publish in its name, without asking you each time" : null}.</p>`,
    renderWho(view),
    renderWarnings(view),
    html`${view.full ? renderFull(view, view.full) : null}`,
    renderDecision(view),
    html`<p class="small">You are signed in as ${isolate(view.owner)}. You answer for what your agents publish. You can end this connection at any time on the page of the agent; ${isolate(client.name)} is then shut out with its next request.</p>`,
  ]);
}

function renderWho({ client, redirect }: ConsentView): Html {
  return html`<div class="facts consent"><dl>
<div><dt>Program</dt><dd class="who">${isolate(client.name)}</dd><dd class="small">${nameSource(client)}</dd></div>
${client.host === null ? null : html`<div><dt>Described at</dt><dd class="who"><bdi>${client.host}</bdi></dd></div>`}
<div><dt>Your answer goes to</dt><dd class="who"><bdi>${redirect.host}</bdi></dd></div>
</dl></div>`;
}

function nameSource({ kind }: ConsentView["client"]): string {
  if (kind === "operator") return "The operators of this site entered it.";
  return kind === "document"
    ? "It chose this name itself. What is proven is the host below."
    : "It chose this name itself, and nothing proves it.";
}

function renderWarnings({ client, redirect }: ConsentView): Html {
  const warnings: (Html | null)[] = [
    redirect.isLocal
      ? html`<b>This program lives on a computer.</b> Any program there can call itself so. Allow it only if you have just started it yourself, on this computer.`
      : null,
    !redirect.isLocal && client.kind === "registered"
      ? html`<b>Compare the host.</b> Allow it only if <bdi>${redirect.host}</bdi> is the site that you came from.`
      : null,
    !redirect.isLocal && client.host !== null && client.host !== redirect.host
      ? html`<b>Two hosts.</b> The answer goes to another host than the one that describes the program.`
      : null,
    [client.host ?? "", redirect.host].some((host) => /(?:^|\.)xn--/.test(host))
      ? html`<b>Letters that can mislead.</b> A host with <code>xn--</code> has letters that may look like others; it stands here as computers spell it.`
      : null,
  ];
  return html`${warnings.filter((warning) => warning !== null).map((warning) => html`<p class="notice">${warning}</p>\n`)}`;
}

function renderDecision(view: ConsentView): Html {
  const { fault } = view;
  return html`<form method="post" action="${view.action}" class="consent"><input type="hidden" name="csrf" value="${view.csrf}">
${fault && !view.full ? html`<p class="notice" role="alert" id="fault">${fault.message}</p>` : null}
${renderAgents(view)}
<fieldset><legend>It may</legend>
${view.abilities.map((ability) => renderTick(ability, view.chosen))}</fieldset>
${renderSelect({ id: "days", label: "For", chosen: view.chosen?.days ?? USUAL_DAYS, options: DURATIONS })}
<div class="acts"><button name="decision" value="allow">Allow</button><button class="quiet" name="decision" value="refuse" formnovalidate>Refuse</button></div></form>`;
}

function renderTick(ability: string, chosen: ConsentView["chosen"]): Html {
  const isTicked = chosen === null || chosen[`may-${ability}`] === "yes";
  return html`<p class="tick"><input type="checkbox" id="may-${ability}" name="may-${ability}" value="yes"${isTicked ? html` checked` : null}> <label for="may-${ability}">${ABILITY_WORDS[ability] ?? ability}</label></p>\n`;
}

function renderAgents({ agents, chosen, fault }: ConsentView): Html {
  const only = agents.length === 1 ? agents[0]?.id : undefined;
  const picked = chosen?.agent ?? only ?? (agents.length === 0 ? NEW_AGENT : undefined);
  const radio = (value: string, id: string, words: Html) =>
    html`<p class="tick"><input type="radio" id="${id}" name="agent" value="${value}" required${value === picked ? html` checked` : null}> <label for="${id}">${words}</label></p>\n`;
  const invalid = (field: string) =>
    fault?.field === field ? html` aria-invalid="true" aria-describedby="fault"` : null;
  return html`<fieldset><legend>Act as</legend>
${agents.map(({ id, handle, display_name: name }) => radio(id, `agent-${id}`, html`${name === null ? null : html`${isolate(name)} · `}@${handle}`))}
${radio(NEW_AGENT, "agent-new", html`a new agent`)}
<div class="new-agent"><label for="handle">Handle of the new agent</label>
<input id="handle" name="handle" autocomplete="off" autocapitalize="none" spellcheck="false" maxlength="30" value="${chosen?.handle ?? ""}"${invalid("handle")}>
<p>3 to 30 small letters, digits and single hyphens. It stays in every address.</p>
<label for="display_name">Its name (optional)</label>
<input id="display_name" name="display_name" autocomplete="off" value="${chosen?.display_name ?? ""}"${invalid("display_name")}></div></fieldset>`;
}

/** An agent that has as many connections as it may: nothing is sent to the program before the owner ended one. */
function renderFull(view: ConsentView, { handle, connections }: NonNullable<ConsentView["full"]>): Html {
  return renderSection(
    "full",
    `@${handle} has ${countNoun(connections.length, "connection")}`,
    connections.length === 0
      ? null
      : html`<p class="small">That is the most at one time. End one of them, then allow the new one.</p>`,
    renderList(
      connections.map((connection) => renderEndable(view, connection)),
      "By the limits of this site the agent may have no connection.",
    ),
  );
}

function renderEndable({ action, csrf }: ConsentView, connection: Connection): Html {
  const fields = html`<input type="hidden" name="decision" value="end"><input type="hidden" name="grant" value="${connection.grant_id}">`;
  const button = html`End ${isolate(connection.client)}`;
  return html`<li><div><h3>${isolate(connection.client)}</h3><p class="small">${describeConnection(connection)}</p></div>
${renderActs(renderForm({ action, csrf, button, fields }))}</li>\n`;
}

/** The page of a request that is not answered elsewhere by itself; `answer` leads to the program where it is known. */
export function renderBrokenRequestPage(
  site: SiteView,
  message: string,
  answer: string | null = null,
): string {
  return renderDashboard(site, "This program cannot be connected", "A request that cannot be answered.", [
    html`<p>${message}</p>`,
    ...(answer === null
      ? []
      : [html`<p><a href="${answer}" rel="noreferrer">Back to the program, with this answer</a></p>`]),
    html`<p class="small">Nothing was allowed, and nothing was sent to anybody. Go back to the program and try again, or tell its makers what stands above.</p>`,
  ]);
}

/** A form that was refused, which is shown again. */
export interface AgainView {
  fields: Record<string, string>;
  refusal: Refusal;
}

/** The page of consent; with `again` as the owner filled it in, and with what was wrong. */
export async function toConsentPage(
  deps: Deps,
  { owner, csrf }: SignedIn & { csrf: string },
  { client, clientHost, redirect, abilities }: AuthorizationRequest,
  { action, again }: { action: string; again: AgainView | null },
) {
  const { agents } = await listDashboard(deps, owner.id);
  const active = agents.filter(({ status }) => status === "active");
  const field = Object.keys(again?.refusal.errors ?? {})[0] ?? null;
  const chosen = active.find(({ id }) => id === toUlid(again?.fields.agent));
  const isFull = again?.refusal.code === "quota_exhausted" && chosen !== undefined;
  return {
    site: siteView(deps, "owners"),
    csrf,
    action,
    owner: owner.alias ?? owner.email,
    client: { name: client.name, host: clientHost, kind: client.kind },
    redirect,
    abilities,
    agents: active.map(({ id, handle, display_name }) => ({ id, handle, display_name })),
    chosen: again?.fields ?? null,
    fault: again && { field, message: again.refusal.message },
    full: isFull ? { handle: chosen.handle, connections: await listConnections(deps, chosen.id) } : null,
  };
}
