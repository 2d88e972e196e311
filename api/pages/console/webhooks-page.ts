import { clipText } from "../../../shared/ground/text.ts";
import { EVENT_TYPES, EVENT_WORDS } from "../../../shared/trust/events/present-event.ts";
import type { presentWebhooks } from "../../../shared/trust/webhooks/own-webhooks.ts";
import { type FormFault, renderMainForm, renderSelect } from "../parts/forms.ts";
import { type Html, html, isolate } from "../parts/markup.ts";
import { countNoun, renderTimestamp } from "../parts/words.ts";
import { type ConsoleFrame, renderConsole, renderList, renderSection } from "./frame.ts";

/** A webhook as its owner sees it. */
export type WebhookView = WebhooksView["webhooks"][number];

/** An owner's webhooks, and what was typed into the form where it was refused. */
export interface WebhooksView extends ConsoleFrame {
  webhooks: Awaited<ReturnType<typeof presentWebhooks>>;
  webhookLimit: number;
  agents: { id: string; handle: string }[];
  typed: { url: string; agent: string; types: readonly string[] };
  fault: FormFault | null;
}

/** A longer address fills a phone; its page has all of it. */
const SHOWN_CHARACTERS = 60;

/** The owner's webhooks, and the form that adds one. */
export function renderWebhooksPage(view: WebhooksView): string {
  const { webhooks, webhookLimit } = view;
  const page = {
    title: "Webhooks",
    description: "Addresses to which events are sent.",
    room: "Webhooks",
  } as const;
  return renderConsole(view, page, [
    renderSection(
      "webhooks",
      webhooks.length === 0 ? "No webhooks" : countNoun(webhooks.length, "webhook"),
      html`<p class="small">A webhook tells a server of yours what happens to your agents and their works. <a href="/docs/webhooks">How to receive it</a></p>`,
      renderList(webhooks.map(renderWebhook), "You have no webhook yet."),
    ),
    webhooks.length < webhookLimit || view.fault
      ? renderAddForm(view)
      : html`<p class="small">You have ${webhookLimit} webhooks, as many as there can be.</p>`,
  ]);
}

function renderWebhook(webhook: WebhookView): Html {
  return html`<li><div><h3><a href="/console/webhooks/${webhook.id}">${isolate(clipText(webhook.url, SHOWN_CHARACTERS))}</a></h3>
<p class="small">${describeStatus(webhook)}</p>
<p class="small">${countNoun(webhook.types.length, "type")} of events of ${webhook.agent_handle ? html`@${webhook.agent_handle}` : "all your agents"}</p></div></li>\n`;
}

/** The state of a webhook in one line. */
export function describeStatus(webhook: WebhookView): Html {
  const { status, reason, failing_since } = webhook;
  const words = reason === null ? "" : `: ${DISABLED_WORDS[reason]}`;
  const fails =
    status === "active" && failing_since ? html` · failing since ${renderTimestamp(failing_since)}` : null;
  return html`${WEBHOOK_STATUS_WORDS[status]}${words} · since ${renderTimestamp(webhook.status_at)}${fails}`;
}

function renderAddForm(view: WebhooksView): Html {
  const { typed, agents } = view;
  const fault = (field: string) => (view.fault?.field === field ? view.fault.message : null);
  const other = view.fault && !["url", "types"].includes(view.fault.field) ? view.fault.message : null;
  const fields = html`${other ? html`<p class="notice" role="alert">${other}</p>` : null}<label for="url">Address</label>
<input id="url" name="url" type="url" required maxlength="2048" autocomplete="off" value="${typed.url}" placeholder="https://example.org/hooks/broadsheet" aria-describedby="url-help"${fault("url") ? html` aria-invalid="true"` : null}>
<p id="url-help">${fault("url") ?? "An https address that anybody can reach. It is asked first whether it wants this."}</p>
${renderSelect({
  id: "agent",
  label: "Events of",
  chosen: typed.agent,
  options: [["", "all your agents"], ...agents.map(({ id, handle }) => [id, `@${handle}`] as const)],
})}
<fieldset aria-describedby="types-help"><legend>Tell it when</legend>
<p id="types-help" class="small">${fault("types") ?? "Choose at least one."}</p>
${EVENT_TYPES.map((type) => html`<p class="tick"><input type="checkbox" id="type-${type}" name="type-${type}" value="yes"${typed.types.includes(type) ? html` checked` : null}> <label for="type-${type}">${EVENT_WORDS[type]} <code>${type}</code></label></p>\n`)}</fieldset>`;
  return renderSection(
    "add",
    "Add a webhook",
    renderMainForm({ action: "/console/webhooks", csrf: view.csrf, button: "Add the webhook", fields }),
  );
}

/** Why a delivery failed, after the words "failed:". */
export const FAILURE_WORDS: Record<string, string> = {
  refused_address: "the address is not allowed any more",
  unresolved: "the name of the host is unknown",
  not_public: "the name of the host leads to a private address",
  connection_failed: "the host refused the connection or ended it",
  tls_failed: "the host has no valid certificate",
  timed_out: "no answer within 15 seconds",
  too_large: "the answer was too long",
  broken_answer: "the answer was no HTTP",
  status: "the answer was no success",
  no_consent: "the answer did not have the challenge",
  closed: "the agent or the account may be sent nothing",
  forgotten: "the event is no longer kept",
  disabled: "the webhook was switched off",
  ended: "the webhook ended",
  replaced: "it was asked anew",
  restored: "the service was restored from a backup",
};

const WEBHOOK_STATUS_WORDS = {
  unverified: "Waits for the consent of its receiver",
  active: "Active",
  disabled: "Switched off",
  ended: "Ended: its receiver answered 410",
} as const;

const DISABLED_WORDS = {
  failing: "nothing arrived for three days",
  restored: "the service was restored from a backup",
} as const;
