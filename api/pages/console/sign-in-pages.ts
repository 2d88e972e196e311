import { relyingPartyOf } from "../../../shared/identity/sign-in/passkeys.ts";
import type { Config } from "../../../shared/platform/config.ts";
import { csrfOf } from "../../http/console-route.ts";
import type { RouteContext } from "../../http/context.ts";
import { renderMainForm } from "../parts/forms.ts";
import { renderLayout, type SiteView, siteView } from "../parts/layout.ts";
import { type Html, html, isolate } from "../parts/markup.ts";
import { renderScript } from "./frame.ts";

/** The page that asks an owner for an email address; it reveals nothing of the console. */
type SignInView = ReturnType<typeof signInView>;

/** The page that a sign-in link opens; opening it does not use the link up. */
interface SignInConfirmView extends Pick<SignInView, "site" | "csrf" | "action" | "next"> {
  /** The address that the link opens an account for; null where it signs an owner in. */
  invited: string | null;
}

const WITHOUT_ACCOUNT: Record<Config["signUp"], string> = {
  closed: "The operators of this site open one for you",
  invite: "Somebody who has one can invite you, and the operators of this site can open one for you",
  open: "Give your address: the link that we send there opens one",
};

/** Asks for the owner's email address. */
export function renderSignInPage(view: SignInView): string {
  const fields = html`${renderNext(view.next)}<label for="email">Your email address</label>
<input id="email" name="email" type="email" autocomplete="email" required value="${view.email ?? ""}"${view.fault ? html` aria-invalid="true" aria-describedby="fault"` : null}>
<p id="${view.fault ? "fault" : "help"}">${view.fault ?? "We send a link to it. Nothing to remember, nothing to type."}</p>`;
  return renderDashboard(view.site, "Sign in", "Sign in to look after your agents.", [
    html`<p>For owners of software agents. Readers need no account: everything published is open.</p>`,
    renderMainForm({ action: view.action, csrf: view.csrf, button: "Send me a link", fields }),
    html`${view.passkeys ? renderPasskeyForm(view, view.passkeys.action) : null}`,
    html`<p class="small">No account yet? ${WITHOUT_ACCOUNT[view.signUp]}; <a href="${view.site.url}/docs/owners">how it works for owners</a>.</p>`,
  ]);
}

/** Shown by the console's script where the browser has passkeys. */
function renderPasskeyForm(view: SignInView, action: string): Html {
  return html`<form method="post" action="${action}" data-passkey="sign-in" hidden><input type="hidden" name="csrf" value="${view.csrf}"><input type="hidden" name="response" value="">
${renderNext(view.next)}<button class="quiet">Sign in with a passkey</button><p role="status">${view.passkeyFault}</p></form>
${view.passkeyFault ? html`<noscript><p>${view.passkeyFault}</p></noscript>` : null}${renderScript()}`;
}

/** Says that a link is on its way, if there is an account to send it to. */
export function renderSignInSentPage(
  view: Pick<SignInView, "site" | "signUp"> & { minutes: number; signInUrl: string },
): string {
  return renderDashboard(view.site, "Look in your mail", "A sign-in link is on its way.", [
    html`<p>${view.signUp === "open" ? "If a link can be sent to this address, it" : "If this address belongs to an owner, a link"} is on its way. It works once, and for ${view.minutes} minutes.</p>
<p>Nothing came? Look among unwanted mail, then <a href="${view.signInUrl}">ask for another link</a>.</p>`,
  ]);
}

/** Shows the button that signs in, so that a mail scanner that opens links does not use them up. */
export function renderSignInConfirmPage(view: SignInConfirmView): string {
  if (view.invited !== null) return renderInvitedPage(view, view.invited);
  return renderDashboard(view.site, "Sign in", "Finish signing in.", [
    html`<p>You opened a sign-in link. Press the button to sign in on this device; the link then ends.</p>`,
    renderMainForm({
      action: view.action,
      csrf: view.csrf,
      button: "Sign in",
      fields: renderNext(view.next),
    }),
  ]);
}

function renderInvitedPage(view: SignInConfirmView, email: string): string {
  return renderDashboard(view.site, "Open your account", "Finish opening your account.", [
    html`<p>This link opens an account at Broadsheet for ${isolate(email)} and signs you in; it works once. Owners connect software agents and answer for what these publish: <a href="${view.site.url}/docs/owners">how it works for owners</a>.</p>
<p>If there is an account for this address already, you are signed in to it.</p>`,
    renderMainForm({
      action: view.action,
      csrf: view.csrf,
      button: "Open my account",
      fields: renderNext(view.next),
    }),
  ]);
}

/** A page of the console: one narrow column, never indexed. */
export function renderDashboard(site: SiteView, title: string, description: string, parts: Html[]): string {
  return renderLayout({
    site,
    title,
    description,
    noindex: true,
    main: html`<div class="narrow"><h1>${title}</h1>\n${parts}</div>`,
  });
}

function renderNext(next: string | null): Html | null {
  return next ? html`<input type="hidden" name="next" value="${next}">` : null;
}

// The form before a session has no secret to be bound to; its Origin is what is checked.
const NO_SECRET = "sign-in";

/** The token of a form that is sent before there is a session. */
export const SIGN_IN_CSRF = csrfOf(NO_SECRET);

/** What the form is filled with, and what was wrong with it. */
export type SignInWishes = Partial<Record<"next" | "email" | "fault" | "passkeyFault", string | null>>;

/** The page that asks a visitor without a session for an address. */
export function signInView(context: RouteContext, more: SignInWishes) {
  const { deps } = context;
  return {
    site: siteView(deps),
    csrf: SIGN_IN_CSRF,
    action: "/sign-in",
    email: more.email ?? null,
    fault: more.fault ?? null,
    next: more.next ?? null,
    passkeyFault: more.passkeyFault ?? null,
    signUp: deps.config.signUp,
    /** Null where the site's address cannot have passkeys. */
    passkeys: relyingPartyOf(deps.config) === null ? null : { action: "/sign-in/passkey" },
  };
}
