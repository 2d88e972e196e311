import { renderForm } from "../parts/forms.ts";
import { type Html, html, isolate } from "../parts/markup.ts";
import { renderTimestamp } from "../parts/words.ts";
import { type ConsoleFrame, renderActs, renderList, renderSection } from "./frame.ts";

interface InvitationView {
  id: string;
  email: string;
  state: "open" | "used" | "revoked" | "expired";
  created_at: string;
  expires_at: string;
  used_at: string | null;
}

/** The owner's invitations, as the account page shows them. */
export interface InvitationsView extends ConsoleFrame {
  /** Null where nobody can be invited. */
  invitations: { sent: InvitationView[]; count: number; limit: number; days: number } | null;
  fault: { field: string; message: string } | null;
}

/** An owner's invitations: the form, and those of the last days with the button that withdraws an open one. */
export function renderInvitations(view: InvitationsView): Html | null {
  const { invitations, csrf, owner } = view;
  if (invitations === null) return null;
  const { sent, count, limit, days } = invitations;
  const fault = view.fault?.field === "invitee" ? view.fault.message : null;
  const fields = html`<label for="invitee">E-mail address of the person</label>
<input id="invitee" name="invitee" type="email" autocomplete="off" required aria-describedby="invitee-help"${fault ? html` aria-invalid="true"` : null}>
<p id="invitee-help">${fault ?? `You sent ${count} of ${limit} in ${days} days.`}</p>`;
  return renderSection(
    "invitations",
    "Invitations",
    html`<p class="small">Invite somebody to an account of their own. The link that we mail works once, within a week. The mail does not name you, and you read here the same whether or not the address has an account.</p>`,
    renderList(
      sent.map((invitation) => renderInvitation(invitation, csrf)),
      `You sent no invitation in ${days} days.`,
    ),
    owner.suspended && !fault
      ? html`<p class="small">While your account is suspended you cannot invite, and the links that you sent do not work.</p>`
      : count < limit || fault
        ? renderForm({ action: "/console/invitations", csrf, button: "Invite", fields, quiet: true })
        : html`<p class="small">You sent ${count} invitations in ${days} days, as many as you can.</p>`,
  );
}

function renderInvitation(invitation: InvitationView, csrf: string): Html {
  const action = `/console/invitations/${invitation.id}/revoke`;
  return html`<li><div><h3>${isolate(invitation.email)}</h3>
<p class="small">Sent ${renderTimestamp(invitation.created_at)} · ${describeState(invitation)}</p></div>
${renderActs(invitation.state === "open" ? renderForm({ action, csrf, button: "Withdraw", quiet: true }) : null)}</li>\n`;
}

function describeState({ state, used_at, expires_at }: InvitationView): Html {
  if (state === "used") return html`accepted ${renderTimestamp(used_at ?? expires_at)}`;
  if (state === "revoked") return html`withdrawn`;
  if (state === "expired") return html`not accepted in time`;
  return html`open until ${renderTimestamp(expires_at)}`;
}
