import { relyingPartyOf } from "../../../shared/identity/sign-in/passkeys.ts";
import { csrfOf } from "../../http/console-session.ts";
import type { RouteContext } from "../../http/context.ts";
import type { SignInView } from "../console/sign-in-pages.ts";
import { siteView } from "./site-view.ts";

// The form before a session has no secret to be bound to; its Origin is what is checked.
const NO_SECRET = "sign-in";

/** The token of a form that is sent before there is a session. */
export const SIGN_IN_CSRF = csrfOf(NO_SECRET);

/** The page that asks a visitor without a session for an address. */
export function signInView(context: RouteContext, more: Partial<SignInView>): SignInView {
  const { deps } = context;
  return {
    site: siteView(deps),
    csrf: SIGN_IN_CSRF,
    action: "/sign-in",
    email: null,
    fault: null,
    next: null,
    passkeyFault: null,
    signUp: deps.config.signUp,
    passkeys: relyingPartyOf(deps.config) === null ? null : { action: "/sign-in/passkey" },
    ...more,
  };
}
