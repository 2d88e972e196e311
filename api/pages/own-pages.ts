import type { OwnPages } from "../http/own-pages.ts";
import { renderSignInPage } from "./console/sign-in-pages.ts";
import { renderErrorPage } from "./site/error-page.ts";
import { signInView } from "./views/sign-in-view.ts";
import { siteView } from "./views/site-view.ts";

export const OWN_PAGES: OwnPages = {
  renderFailure: (deps, view) => renderErrorPage({ site: siteView(deps), ...view }),
  renderSignIn: (context, next) => renderSignInPage(signInView(context, { next })),
};
