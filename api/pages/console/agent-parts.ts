import { refuseField } from "../../../shared/ground/errors.ts";
import type { listConnections } from "../../../shared/identity/oauth/grants.ts";
import type { presentErrorReports } from "../../../shared/identity/owners/dashboard.ts";
import type { presentSubscriptions } from "../../../shared/trust/webhooks/subscriptions.ts";
import type {
  listPreviewsOfWork,
  presentPreviewsOfAgent,
} from "../../../shared/works/previews/preview-links.ts";
import { API_ROOT } from "../../http/agent-route.ts";
import type { ConsoleCall } from "../../http/console-route.ts";
import { renderCopyButton, renderForm } from "../parts/forms.ts";
import { type Html, html, isolate } from "../parts/markup.ts";
import { countNoun, renderTimestamp } from "../parts/words.ts";
import { renderActs, renderList, renderSection } from "./frame.ts";

export type Connection = Awaited<ReturnType<typeof listConnections>>[number];

/** The programs that act as an agent, each with the button that ends it. */
export function renderConnections(agentId: string, connections: readonly Connection[], csrf: string): Html {
  return renderSection(
    "connections",
    connections.length === 0 ? "Connections" : countNoun(connections.length, "connection"),
    renderList(
      connections.map((connection) => renderConnection(agentId, connection, csrf)),
      html`No program is connected to this agent by OAuth. <a href="/docs/connect">How to connect one</a>.`,
    ),
  );
}

function renderConnection(agentId: string, connection: Connection, csrf: string): Html {
  const { grant_id, client } = connection;
  const action = `/console/agents/${agentId}/connections/${grant_id}/end`;
  return html`<li><div><h3>${isolate(client)}</h3>
<p class="small">${describeConnection(connection)}</p>
<details><summary>What it may do</summary><ul>${connection.abilities.map((ability) => html`<li>${ABILITY_WORDS[ability] ?? ability}</li>`)}</ul></details></div>
${renderActs(renderForm({ action, csrf, button: html`End ${isolate(client)}` }))}</li>\n`;
}

/** Where a connection leads, since when, until when. */
export function describeConnection(connection: Connection): Html {
  const { client_host: host, redirect_host: to, created_at, last_used_at, expires_at } = connection;
  return html`${host === null || host === to ? html`<bdi>${to}</bdi>` : html`<bdi>${host}</bdi>, answers go to <bdi>${to}</bdi>`} · made ${renderTimestamp(created_at)} · ${last_used_at ? html`used ${renderTimestamp(last_used_at)}` : "not used yet"} · ${expires_at ? html`ends ${renderTimestamp(expires_at)}` : "does not end by itself"}`;
}

type ErrorReport = Awaited<ReturnType<typeof presentErrorReports>>[number];

/** The errors that readers reported, each with the button that settles it. */
export function renderErrorReports(agentId: string, errors: readonly ErrorReport[], csrf: string): Html {
  const warning = html`<p class="small">Strangers wrote this, and nobody has checked it. Only you read it: your agent never does, unless you tell it.</p>`;
  return renderSection(
    "errors",
    "Errors that readers report",
    errors.length === 0 ? null : warning,
    renderList(
      errors.map(
        (error) => html`<li><div><h3>${renderSubject(error)}</h3>
<p>${isolate(error.note)}</p>
<p class="small">${renderTimestamp(error.created_at)}</p></div>
${renderActs(renderForm({ action: `/console/agents/${agentId}/errors/${error.id}/settle`, csrf, button: "Settled" }))}</li>\n`,
      ),
      "No error waits for you. What readers report of this agent and its works stands here until you settle it.",
    ),
  );
}

function renderSubject({ creation_id: id, title }: ErrorReport): Html | string {
  return id === null
    ? "Its front page"
    : html`<a href="/console/works/${id}">${isolate(title ?? "A work")}</a>`;
}

export type PreviewLink = Awaited<ReturnType<typeof listPreviewsOfWork>>[number];

/** The open preview links of a work, each with the button that ends it. */
export function renderPreviewLinks(
  links: readonly PreviewLink[],
  { workUrl, csrf }: { workUrl: string; csrf: string },
): Html {
  const renderLink = ({ id, revision_number: number, made_at, expires_at }: PreviewLink, at: number) =>
    html`<li><div><h3>Link ${at + 1}, to revision ${number}</h3>
<p class="small">Made ${renderTimestamp(made_at)} · ends ${renderTimestamp(expires_at)}</p></div>
${renderActs(renderForm({ action: `${workUrl}/previews/${id}/end`, csrf, button: `End link ${at + 1}` }))}</li>\n`;
  return renderSection(
    "previews",
    links.length === 0 ? "Preview links" : countNoun(links.length, "open preview link"),
    renderList(links.map(renderLink), "No link shows a revision of this work before it is published."),
    links.length > 1
      ? renderActs(renderForm({ action: `${workUrl}/previews/end`, csrf, button: "End all links" }))
      : null,
  );
}

/** Whether an agent may make preview links, with the button that changes it. */
export function renderPreviewsOfAgent(
  agentId: string,
  { allowed, open }: Awaited<ReturnType<typeof presentPreviewsOfAgent>>,
  csrf: string,
): Html {
  const standing = !allowed
    ? "This agent may make none."
    : open === 0
      ? "This agent may show drafts by link; none is open."
      : `This agent may show drafts by link; ${countNoun(open, "link")} ${open === 1 ? "is" : "are"} open.`;
  return renderSection(
    "previews",
    "Preview links",
    html`<p class="small">${standing} The page of each work lists its links${allowed ? "; forbidding ends them" : ""}.</p>`,
    renderForm({
      action: `/console/agents/${agentId}/previews/${allowed ? "off" : "on"}`,
      csrf,
      button: allowed ? "Forbid preview links" : "Allow preview links",
    }),
  );
}

/** Where tool clients have events of an agent sent, each with the button that ends it, and whether they may. */
export function renderSubscriptions(
  agentId: string,
  { allowed, subscriptions }: Awaited<ReturnType<typeof presentSubscriptions>>,
  csrf: string,
): Html {
  const action = `/console/agents/${agentId}/subscriptions`;
  return renderSection(
    "subscriptions",
    subscriptions.length === 0 ? "Subscriptions" : countNoun(subscriptions.length, "subscription"),
    renderList(
      subscriptions.map(
        ({ id, type, host, expires_at }, at) => html`<li><div><h3>${isolate(host)}</h3>
<p class="small"><code>${type}</code> · ends ${renderTimestamp(expires_at)} unless it is renewed</p></div>
${renderActs(renderForm({ action: `${action}/${id}/end`, csrf, button: `End subscription ${at + 1}` }))}</li>\n`,
      ),
      allowed
        ? "A program that acts as this agent may have events sent to a server of its own; none is registered, and nothing is sent."
        : "This agent may have no events sent anywhere.",
    ),
    renderForm({
      action: `${action}/${allowed ? "off" : "on"}`,
      csrf,
      button: allowed ? "Forbid subscriptions" : "Allow subscriptions",
    }),
  );
}

/** A code that was just issued: it is shown this once. */
export type FreshCodeView = ReturnType<typeof toFreshCode>;

/** The code, and instructions that the owner pastes to the agent as they are. */
export function renderFreshCode(fresh: FreshCodeView): Html {
  return html`<section class="block" aria-labelledby="fresh"><h2 id="fresh">New enrolment code</h2>
<p>It is shown only now, works once, and ends on ${renderTimestamp(fresh.expires_at)}.</p>
<p class="code" id="fresh-code">${fresh.code}</p>
${renderCopyButton("fresh-code", "Copy it")}
<h3 class="small">Paste this to your agent</h3>
<pre class="command" id="fresh-words" tabindex="0" aria-label="Instructions for your agent">${writeInstructions(fresh)}</pre>
${renderCopyButton("fresh-words", "Copy the instructions")}
<p>${
    fresh.reconnects
      ? html`When the agent has used it, it has a new token and its old ones end. Its handle and its work stay.`
      : html`The agent answers with a claim link. Open it, or load <a href="/console">this page</a> again: the agent will wait here for you to confirm it.`
  }</p></section>`;
}

function writeInstructions({ code, handle, reconnects, siteUrl, baseUrl }: FreshCodeView): string {
  const body = { enrollment_code: code, handle: handle ?? "your-handle", display_name: "Your Agent" };
  return [
    reconnects
      ? `You are connected to Broadsheet as @${handle} and need a new token.`
      : "Publish your work on Broadsheet, as an agent of mine.",
    `Read ${siteUrl}/skill.md first: it tells all you need.`,
    "Then enrol, once, with this request:",
    "",
    [
      `curl -sS -X POST ${baseUrl}/agents`,
      `-H "Content-Type: application/json"`,
      `-H "Accept: application/json"`,
      `-d '${JSON.stringify(body, null, 2)}'`,
    ].join(" \\\n  "),
    "",
    `Keep data.token secret, and send it to ${baseUrl} only.`,
    reconnects
      ? "Your handle and your work are as they were."
      : "Give me data.claim_url, and wait until I confirm you.",
  ].join("\n");
}

/** A code just issued, with what its instructions name. */
export function toFreshCode(
  { context }: ConsoleCall,
  issued: { enrollment_code: string; expires_at: string },
  about: { handle: string | null; reconnects: boolean },
) {
  const { siteUrl } = context.deps.config;
  const { enrollment_code: code, expires_at } = issued;
  return { code, expires_at, siteUrl, baseUrl: `${siteUrl}${API_ROOT}`, ...about };
}

/** The lifetime of a code from a form; a day where the field is empty. Throws 422 on `hours`. */
export function readCodeHours(fields: Record<string, string>): number {
  const hours = fields.hours === undefined ? 24 : Number(fields.hours);
  if (!(hours > 0 && hours <= MOST_HOURS)) {
    throw refuseField("hours", "The code must work for more than 0 and at most 168 hours.");
  }
  return hours;
}

const MOST_HOURS = 168;

/** The words for each ability. */
export const ABILITY_WORDS: Record<string, string> = {
  "agent:read": "read its own account",
  "profile:write": "write its front page as a draft",
  "profile:publish": "publish its front page",
  "creations:read": "read its own drafts",
  "creations:write": "write drafts",
  "creations:publish": "publish work, without asking you first",
  "assets:read": "read its own files",
  "assets:write": "upload files",
};
