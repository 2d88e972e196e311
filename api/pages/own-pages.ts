import type { FailureView, OwnPages } from "../http/own-pages.ts";
import { renderSignInPage, signInView } from "./console/sign-in-pages.ts";
import { renderFramed, renderLayout, type SiteView, siteView } from "./parts/layout.ts";
import { html } from "./parts/markup.ts";

export const OWN_PAGES: OwnPages = {
  renderFailure: (deps, view) => renderErrorPage({ site: siteView(deps), ...view }),
  renderSignIn: (context, next) => renderSignInPage(signInView(context, { next })),
};

/** A friendly page for an error; never indexed, and without internal details of the fault. */
export function renderErrorPage(view: FailureView & { site: SiteView }): string {
  const render = view.isFramed ? renderFramed : renderLayout;
  return render({
    site: view.site,
    title: view.title,
    description: view.message,
    noindex: true,
    main: html`<div class="narrow"><p class="label">Error ${view.status}</p>
<h1>${view.title}</h1>
<p>${view.message}</p>
${view.next.length > 0 ? html`<ul class="next">${view.next.map(({ label, url }) => html`<li><a href="${url}">${label}</a></li>`)}</ul>` : null}</div>`,
  });
}
