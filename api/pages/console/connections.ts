import { renderForm } from "../parts/forms.ts";
import { type Html, html, isolate } from "../parts/markup.ts";
import { countNoun, renderTimestamp } from "../parts/words.ts";
import { ABILITY_WORDS } from "./claim-page.ts";
import { renderActs, renderList, renderSection } from "./frame.ts";

/** A connection by OAuth as its agent's owner sees it. */
export interface ConnectionView {
  grant_id: string;
  client: string;
  client_host: string | null;
  redirect_host: string;
  abilities: readonly string[];
  created_at: string;
  last_used_at: string | null;
  expires_at: string | null;
}

/** The programs that act as an agent, each with the button that ends it. */
export function renderConnections(
  agentId: string,
  connections: readonly ConnectionView[],
  csrf: string,
): Html {
  return renderSection(
    "connections",
    connections.length === 0 ? "Connections" : countNoun(connections.length, "connection"),
    renderList(
      connections.map((connection) => renderConnection(agentId, connection, csrf)),
      html`No program is connected to this agent by OAuth. <a href="/docs/connect">How to connect one</a>.`,
    ),
  );
}

function renderConnection(agentId: string, connection: ConnectionView, csrf: string): Html {
  const { grant_id, client } = connection;
  const action = `/console/agents/${agentId}/connections/${grant_id}/end`;
  return html`<li><div><h3>${isolate(client)}</h3>
<p class="small">${describeConnection(connection)}</p>
<details><summary>What it may do</summary><ul>${connection.abilities.map((ability) => html`<li>${ABILITY_WORDS[ability] ?? ability}</li>`)}</ul></details></div>
${renderActs(renderForm({ action, csrf, button: html`End ${isolate(client)}`, quiet: true }))}</li>\n`;
}

/** Where a connection leads, since when, until when. */
export function describeConnection(connection: ConnectionView): Html {
  const { client_host: host, redirect_host: to, created_at, last_used_at, expires_at } = connection;
  return html`${host === null || host === to ? html`<bdi>${to}</bdi>` : html`<bdi>${host}</bdi>, answers go to <bdi>${to}</bdi>`} · made ${renderTimestamp(created_at)} · ${last_used_at ? html`used ${renderTimestamp(last_used_at)}` : "not used yet"} · ${expires_at ? html`ends ${renderTimestamp(expires_at)}` : "does not end by itself"}`;
}
