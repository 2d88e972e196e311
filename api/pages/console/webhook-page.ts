import { EVENT_TYPES, EVENT_WORDS } from "../../../shared/trust/events/present-event.ts";
import type { showWebhook } from "../../../shared/trust/webhooks/own-webhooks.ts";
import { renderCopyButton, renderForm, renderMainForm, renderSureForm } from "../parts/forms.ts";
import { type Html, html, isolate } from "../parts/markup.ts";
import { countNoun, renderTimestamp } from "../parts/words.ts";
import { type ConsoleFrame, renderActs, renderConsole, renderList, renderSection } from "./frame.ts";
import { describeStatus, FAILURE_WORDS, type WebhookView } from "./webhooks-page.ts";

/** One webhook with its latest deliveries; `secret` only on the answer to the request that asked for it. */
interface WebhookPageView extends ConsoleFrame {
  webhook: Awaited<ReturnType<typeof showWebhook>>;
  secret: string | null;
  done: string | null;
}

type Delivery = WebhookPageView["webhook"]["deliveries"][number];

/** A webhook: its state, its secret, what it is told, and what was sent. */
export function renderWebhookPage(view: WebhookPageView): string {
  const { webhook, secret } = view;
  const { host } = new URL(webhook.url);
  const page = {
    title: `Webhook to ${host}`,
    description: "A webhook and what was sent to it.",
    room: "Webhooks",
    heading: html`Webhook to ${isolate(host)}`,
  } as const;
  return renderConsole(view, page, [
    html`${view.done ? html`<p class="notice" role="status">${view.done}</p>` : null}`,
    html`<p><code>${webhook.url}</code></p><p class="by">${describeStatus(webhook)}</p>`,
    html`${secret === null ? null : renderSecret(secret, webhook)}`,
    renderStateActs(view),
    html`${secret === null ? renderSecretActs(view) : null}`,
    renderTypes(webhook),
    renderDeliveries(view),
    renderRemoval(view),
  ]);
}

function renderSecret(secret: string, webhook: WebhookView): Html {
  return renderSection(
    "secret",
    "Secret",
    html`<p>Give it to the receiver, which verifies each delivery with it. Whoever has it can make deliveries that look like ours.</p>
<p class="code" id="secret-text">${secret}</p>`,
    renderCopyButton("secret-text", "Copy it"),
    webhook.previous_secret_ends_at
      ? html`<p class="small">The secret before it signs beside it until ${renderTimestamp(webhook.previous_secret_ends_at)}.</p>`
      : null,
  );
}

function renderStateActs({ webhook, csrf }: WebhookPageView): Html | null {
  const action = `/console/webhooks/${webhook.id}`;
  if (webhook.status === "ended") return null;
  if (webhook.status === "active") {
    return renderActs(renderMainForm({ action: `${action}/test`, csrf, button: "Send a test" }));
  }
  const button = webhook.status === "disabled" ? "Switch it on again" : "Ask it again";
  return html`<p class="small">The receiver is sent a challenge, and nothing else until it sends that back.</p>
${renderActs(renderMainForm({ action: `${action}/ask`, csrf, button }))}`;
}

function renderSecretActs({ webhook, csrf }: WebhookPageView): Html {
  const action = `/console/webhooks/${webhook.id}`;
  return renderSection(
    "secret",
    "Secret",
    html`<p class="small">The receiver verifies each delivery with it. A new secret signs at once; the one before signs beside it for 24 hours.</p>`,
    webhook.previous_secret_ends_at
      ? html`<p class="small">The secret before signs until ${renderTimestamp(webhook.previous_secret_ends_at)}.</p>`
      : null,
    renderActs(
      renderForm({ action: `${action}/secret`, csrf, button: "Show the secret" }),
      renderForm({ action: `${action}/new-secret`, csrf, button: "Make a new secret" }),
    ),
  );
}

function renderTypes({ types, agent_handle }: WebhookView): Html {
  return renderSection(
    "types",
    "What it is told",
    html`<p class="small">Events of ${agent_handle ? html`@${agent_handle}` : "all your agents"}, when:</p>`,
    html`${EVENT_TYPES.filter((type) => types.includes(type)).map((type) => html`<p class="small">${EVENT_WORDS[type]} <code>${type}</code></p>\n`)}`,
  );
}

function renderDeliveries(view: WebhookPageView): Html {
  return renderSection(
    "deliveries",
    "Latest deliveries",
    renderList(
      view.webhook.deliveries.map((delivery) => renderDelivery(delivery, view)),
      "Nothing was sent yet. The last 100 deliveries stand here.",
    ),
  );
}

function renderDelivery(delivery: Delivery, { webhook, csrf }: WebhookPageView): Html {
  const action = `/console/webhooks/${webhook.id}/deliveries/${delivery.message_id}/again`;
  const canRepeat = webhook.status === "active" && delivery.type !== "webhook.verify";
  return html`<li><div><h3><code>${delivery.type}</code></h3>
<p class="small">${describeDelivery(delivery)}</p>
<p class="small">Made ${renderTimestamp(delivery.made_at)} · ${countNoun(delivery.tries, "try", "tries")}${delivery.tried_at ? html` · last ${renderTimestamp(delivery.tried_at)}` : null} · <code>${delivery.message_id}</code></p></div>
${renderActs(canRepeat ? renderForm({ action, csrf, button: "Send again" }) : null)}</li>\n`;
}

function describeDelivery({ state, status, failure, next_at }: Delivery): Html {
  const answer = status === null ? null : html` · answer ${status}`;
  if (state === "delivered") return html`Delivered${answer}`;
  const why = failure === null ? "" : `: ${FAILURE_WORDS[failure] ?? failure}`;
  if (state === "failed") return html`Failed${why}${answer}`;
  if (failure === null) return html`On its way`;
  return html`Not delivered yet${why}${answer}${next_at ? html` · next try ${renderTimestamp(next_at)}` : null}`;
}

function renderRemoval({ webhook, csrf }: WebhookPageView): Html {
  return renderSection(
    "remove",
    "Remove",
    renderSureForm({
      action: `/console/webhooks/${webhook.id}/remove`,
      csrf,
      button: "Remove the webhook",
      id: "sure-remove",
      sentence: "Send nothing more, and forget the deliveries.",
    }),
  );
}
