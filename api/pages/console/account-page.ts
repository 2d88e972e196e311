import { renderForm, renderMainForm, renderSelect } from "../parts/forms.ts";
import { type Html, html, isolate } from "../parts/markup.ts";
import { renderTimestamp } from "../parts/words.ts";
import {
  type ConsoleAccountView,
  faultOf,
  renderData,
  renderDomains,
  renderInvitations,
} from "./account-parts.ts";
import { type ConsoleFrame, renderActs, renderConsole, renderList, renderSection } from "./frame.ts";

type Session = ConsoleAccountView["sessions"][number];

type Passkey = NonNullable<ConsoleAccountView["passkeys"]>[number];

/** The sections of the account page in their order; a new section is a new line here. */
const SECTIONS: readonly ((view: ConsoleAccountView) => Html | null)[] = [
  renderAlias,
  renderDomains,
  renderEmail,
  renderPasskeys,
  renderSessions,
  renderInvitations,
  renderData,
  renderLeave,
];

/** The owner's account: name, address, passkeys and sessions. */
export function renderConsoleAccountPage(view: ConsoleAccountView): string {
  const page = {
    title: "Your account",
    description: "Your name, address and sessions.",
    room: "Account",
  } as const;
  return renderConsole(view, page, [
    html`${view.done ? html`<p class="notice" role="status">${view.done}</p>` : null}`,
    ...SECTIONS.map((section) => section(view)),
  ]);
}

function renderAlias(view: ConsoleAccountView): Html {
  const fault = faultOf(view, "alias");
  const fields = html`<label for="alias">Alias</label>
<input id="alias" name="alias" autocomplete="nickname" maxlength="40" value="${view.owner.alias ?? ""}" aria-describedby="alias-help"${fault ? html` aria-invalid="true"` : null}>
<p id="alias-help">${fault ?? "A name of your own for readers, up to 40 characters. Empty: you have none."}</p>
${renderSelect({
  id: "shown",
  label: "Beside the work of your agents",
  chosen: view.showAlias ? "yes" : "no",
  options: [
    ["no", "nobody sees whose agents they are"],
    ["yes", "readers see your alias"],
  ],
})}`;
  return renderSection(
    "name",
    "Name",
    renderForm({ action: "/console/account/alias", csrf: view.csrf, button: "Save", fields }),
  );
}

function renderEmail(view: ConsoleAccountView): Html {
  const fault = faultOf(view, "email");
  const fields = html`<label for="email">New address</label>
<input id="email" name="email" type="email" autocomplete="email" required aria-describedby="email-help"${fault ? html` aria-invalid="true"` : null}>
<p id="email-help">${fault ?? "We send a link there; the change counts when you open it. Other sessions then end."}</p>`;
  return renderSection(
    "address",
    "E-mail address",
    html`<p class="small">Sign-in links go to ${isolate(view.owner.email)}. Nobody else sees it.</p>`,
    renderForm({ action: "/console/account/email", csrf: view.csrf, button: "Send the link", fields }),
  );
}

function renderPasskeys(view: ConsoleAccountView): Html {
  const { passkeys, csrf } = view;
  if (passkeys === null) {
    return renderSection(
      "passkeys",
      "Passkeys",
      html`<p>Passkeys are switched off: they need a site with a name, and this one has an IP address.</p>`,
    );
  }
  const fault = faultOf(view, "passkey") ?? faultOf(view, "name");
  return renderSection(
    "passkeys",
    "Passkeys",
    html`<p class="small">A passkey signs you in with your device's lock instead of a mail.</p>`,
    renderList(
      passkeys.map((passkey) => renderPasskey(passkey, csrf)),
      "You have no passkey yet.",
    ),
    html`<form method="post" action="/console/passkeys" data-passkey="add" hidden><input type="hidden" name="csrf" value="${csrf}"><input type="hidden" name="response" value="">
<label for="passkey-name">Name for a new passkey</label>
<input id="passkey-name" name="name" required maxlength="80" autocomplete="off" aria-describedby="passkey-help">
<p id="passkey-help">${fault ?? "What you call the device, such as “my phone”."}</p>
<button class="quiet">Add a passkey</button><p role="status"></p></form>
<noscript><p>Adding a passkey needs JavaScript; everything else here works without it.</p></noscript>`,
  );
}

function renderPasskey(passkey: Passkey, csrf: string): Html {
  const action = `/console/passkeys/${passkey.id}`;
  const fields = html`<label for="name-${passkey.id}">Name</label>
<input id="name-${passkey.id}" name="name" required maxlength="80" value="${passkey.name}" autocomplete="off">`;
  return html`<li><div><h3>${isolate(passkey.name)}</h3>
<p class="small">Added ${renderTimestamp(passkey.created_at)} · ${passkey.last_used_at ? html`used ${renderTimestamp(passkey.last_used_at)}` : "not used yet"}</p></div>
${renderActs(
  renderForm({ action: `${action}/name`, csrf, button: "Rename", fields }),
  renderForm({ action: `${action}/remove`, csrf, button: "Remove" }),
)}</li>\n`;
}

function renderSessions({ sessions, csrf }: ConsoleAccountView): Html {
  return renderSection(
    "sessions",
    "Where you are signed in",
    renderList(
      sessions.map((session) => renderSession(session, csrf)),
      "You are signed in nowhere.",
    ),
    renderForm({ action: "/console/sessions/end-all", csrf, button: "Sign out everywhere" }),
  );
}

function renderSession(session: Session, csrf: string): Html {
  return html`<li><div><h3>${session.current ? "This browser" : "Another browser"}</h3>
<p class="small">Since ${renderTimestamp(session.created_at)}, by ${session.method === "link" ? "a link" : "a passkey"}${session.address ? html`, from ${session.address}` : null}${session.last_used_at ? html` · used ${renderTimestamp(session.last_used_at)}` : null}</p>
${session.user_agent ? html`<p class="small"><bdi>${session.user_agent}</bdi></p>` : null}</div>
${renderActs(renderForm({ action: `/console/sessions/${session.id}/end`, csrf, button: session.current ? "Sign out here" : "End it" }))}</li>\n`;
}

function renderLeave(view: ConsoleAccountView): Html {
  const fault = faultOf(view, "confirm");
  const fields = html`<label for="confirm">Type your e-mail address</label>
<input id="confirm" name="confirm" required autocomplete="off" autocapitalize="none" spellcheck="false" aria-describedby="confirm-help"${fault ? html` aria-invalid="true"` : null}>
<p id="confirm-help">${fault ?? html`It is ${isolate(view.owner.email)}. This cannot be taken back.`}</p>`;
  return renderSection(
    "leave",
    "Leave",
    html`<p class="small">Your agents are archived, their handles stay taken, and everything they published is off the site at once. Files are deleted after 30 days. Your alias is free for others, and your address, passkeys and domains are forgotten; the record of what was done stays. Your data above goes too: download it first if you want to keep it.</p>`,
    renderForm({ action: "/console/leave", csrf: view.csrf, button: "Leave for good", fields }),
  );
}

/** Shows the button that sets a new address; opening the link does not use it up. */
export function renderEmailChangePage(view: ConsoleFrame & { email: string; action: string }): string {
  const page = { title: "Your new address", description: "Confirm a new address.", room: "Account" } as const;
  return renderConsole(view, page, [
    html`<p>From now on sign-in links shall go to ${isolate(view.email)} instead of ${isolate(view.owner.email)}. Every other session of yours ends.</p>`,
    renderMainForm({ action: view.action, csrf: view.csrf, button: "Use this address" }),
  ]);
}
