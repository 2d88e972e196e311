import { presentExports } from "../../../shared/care/archive/exports.ts";
import { listDomains } from "../../../shared/identity/owners/domains.ts";
import { presentInvitations } from "../../../shared/identity/sign-in/invitations.ts";
import { listPasskeys, relyingPartyOf } from "../../../shared/identity/sign-in/passkeys.ts";
import { listSessions } from "../../../shared/identity/sign-in/sessions.ts";
import { limitsOfOwner } from "../../../shared/platform/limits-in-force.ts";
import { type ConsoleCall, readSession } from "../../http/console-route.ts";
import { type FormFault, renderForm } from "../parts/forms.ts";
import { type Html, html, isolate } from "../parts/markup.ts";
import { formatBytes, renderTimestamp } from "../parts/words.ts";
import { frameOf, renderActs, renderList, renderSection } from "./frame.ts";

/** What the account page shows: `done` says what a form has just done, `fault` which field was refused. */
export type ConsoleAccountView = Awaited<ReturnType<typeof toAccountView>>;

/** The view of the account page, read anew with its owner, so that it shows the change of a form. */
export async function toAccountView(
  call: ConsoleCall,
  { fault = null, done = null }: { fault?: FormFault | null; done?: string | null } = {},
) {
  const { deps } = call.context;
  const session = (await readSession(deps, call.request)) ?? call.session;
  const { owner } = session;
  const hasPasskeys = relyingPartyOf(deps.config) !== null;
  return {
    ...frameOf({ ...call, session }),
    showAlias: owner.show_alias,
    sessions: await listSessions(deps, session),
    /** Null where the site's address cannot have passkeys. */
    passkeys: hasPasskeys ? await listPasskeys(deps, owner.id) : null,
    domains: await listDomains(deps, owner.id),
    domainLimit: limitsOfOwner(deps, owner).domainsPerOwner,
    /** Null where nobody can be invited. */
    invitations: await presentInvitations(deps, owner),
    exports: await presentExports(deps, owner.id),
    exportDays: deps.config.limits.exportDays,
    fault,
    done,
  };
}

/** The refusal of a field; null where another one was refused, or none. */
export function faultOf({ fault }: Pick<ConsoleAccountView, "fault">, field: string): string | null {
  return fault?.field === field ? fault.message : null;
}

type Domain = ConsoleAccountView["domains"][number];

/** An owner's domains: the record to set, the button that checks it, and the domain that readers see. */
export function renderDomains(view: ConsoleAccountView): Html {
  const { domains, csrf, domainLimit } = view;
  const fault = faultOf(view, "domain");
  const fields = html`<label for="domain">Domain</label>
<input id="domain" name="domain" required maxlength="253" autocomplete="off" autocapitalize="none" spellcheck="false" placeholder="example.org" aria-describedby="domain-help"${fault ? html` aria-invalid="true"` : null}>
<p id="domain-help">${fault ?? `Up to ${domainLimit}. A name alone, such as example.org.`}</p>`;
  return renderSection(
    "domains",
    "Domains",
    html`<p class="small">Prove that a domain is yours, and readers can see it beside your alias.</p>`,
    renderList(
      domains.map((domain) => renderDomain(domain, csrf)),
      "You have named no domain yet.",
    ),
    domains.length < domainLimit || fault
      ? renderForm({ action: "/console/domains", csrf, button: "Add a domain", fields })
      : html`<p class="small">You have ${domainLimit} domains, as many as there can be.</p>`,
  );
}

function renderDomain(domain: Domain, csrf: string): Html {
  const action = `/console/domains/${domain.id}`;
  return html`<li><div><h3>${isolate(domain.domain)}</h3>
<p class="small">${describeState(domain)}</p>
${domain.verified_at ? null : renderProof(domain)}</div>
${renderActs(
  renderForm({ action: `${action}/check`, csrf, button: `Check ${domain.domain}` }),
  domain.verified_at ? renderSwitch(domain, action, csrf) : null,
  renderForm({ action: `${action}/remove`, csrf, button: `Remove ${domain.domain}` }),
)}</li>\n`;
}

function renderSwitch({ shown }: Domain, action: string, csrf: string): Html {
  return shown
    ? renderForm({ action: `${action}/hide`, csrf, button: "Show it to nobody" })
    : renderForm({ action: `${action}/show`, csrf, button: "Show it to readers" });
}

function describeState(domain: Domain): Html {
  const way = domain.verified_by === "dns" ? "its DNS record" : "its file";
  const proof = domain.verified_at
    ? html`Verified by ${way} since ${renderTimestamp(domain.verified_at)}${domain.shown ? "; shown beside your alias" : null}`
    : html`Not verified yet`;
  const fails = domain.failures > 0 ? html`; not found at the last check` : null;
  return html`${proof}${fails}${domain.checked_at ? html` · checked ${renderTimestamp(domain.checked_at)}` : null}`;
}

function renderProof({ record, file_url }: Domain): Html {
  return html`<p class="small">Do one of the two, then check:</p>
<p class="small">A DNS record of type TXT at <code>${record.name}</code>, or a text file at <code>${file_url}</code>, that says:</p>
<pre class="command">${record.value}</pre>`;
}

type Invitation = NonNullable<ConsoleAccountView["invitations"]>["sent"][number];

/** An owner's invitations: the form, and those of the last days with the button that withdraws an open one. */
export function renderInvitations(view: ConsoleAccountView): Html | null {
  const { invitations, csrf, owner } = view;
  if (invitations === null) return null;
  const { sent, count, limit, days } = invitations;
  const fault = faultOf(view, "invitee");
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
        ? renderForm({ action: "/console/invitations", csrf, button: "Invite", fields })
        : html`<p class="small">You sent ${count} invitations in ${days} days, as many as you can.</p>`,
  );
}

function renderInvitation(invitation: Invitation, csrf: string): Html {
  const action = `/console/invitations/${invitation.id}/revoke`;
  return html`<li><div><h3>${isolate(invitation.email)}</h3>
<p class="small">Sent ${renderTimestamp(invitation.created_at)} · ${describeInvitation(invitation)}</p></div>
${renderActs(invitation.state === "open" ? renderForm({ action, csrf, button: "Withdraw" }) : null)}</li>\n`;
}

function describeInvitation({ state, used_at, expires_at }: Invitation): Html {
  if (state === "used") return html`accepted ${renderTimestamp(used_at ?? expires_at)}`;
  if (state === "revoked") return html`withdrawn`;
  if (state === "expired") return html`not accepted in time`;
  return html`open until ${renderTimestamp(expires_at)}`;
}

type Archive = NonNullable<ConsoleAccountView["exports"]["archive"]>;

/** The archive of the owner's data: the button that requests it, its state, and the file. */
export function renderData(view: ConsoleAccountView): Html {
  const { exports, csrf, exportDays } = view;
  const { archive, failure } = exports;
  const fault = faultOf(view, "export");
  const button = archive ? "Ask for a new archive" : "Ask for an archive";
  return renderSection(
    "data",
    "Your data",
    html`<p class="small">One ZIP file of everything that is kept here of you and your agents: your account, every work with all its revisions, drafts too, every file as it was uploaded, and the record of what was done. It waits here for ${exportDays} days.</p>`,
    fault ? html`<p class="notice" role="alert">${fault}</p>` : null,
    failure ? html`<p class="notice">The last one failed. ${failure}</p>` : null,
    renderList(archive ? [renderArchive(archive, csrf)] : [], "There is no archive to download now."),
    exports.waiting_since
      ? renderWaiting(exports.waiting_since)
      : renderForm({ action: "/console/exports", csrf, button }),
  );
}

function renderWaiting(since: string): Html {
  return html`<p class="small" role="status">An archive was asked for on ${renderTimestamp(since)} and is being made. A mail tells you when it is ready; <a href="/console/account">look again</a>.</p>`;
}

function renderArchive({ id, made_at, expires_at, bytes, sha256 }: Archive, csrf: string): Html {
  const action = `/console/exports/${id}`;
  return html`<li><div><h3>Archive of ${renderTimestamp(made_at)}</h3>
<p class="small">${formatBytes(bytes)} · here until ${renderTimestamp(expires_at)}</p>
<p class="small">SHA-256 <code>${sha256}</code></p>
<p class="small"><a href="${action}" download>Download the archive</a></p></div>
${renderActs(renderForm({ action: `${action}/delete`, csrf, button: "Delete it now" }))}</li>\n`;
}
