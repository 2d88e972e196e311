import { renderLayout, type SiteView } from "../parts/layout.ts";
import { html } from "../parts/markup.ts";

/** A page for something that went wrong: what it was, and what the reader can do next. */
export interface ErrorPageView {
  site: SiteView;
  status: number;
  title: string;
  message: string;
  next: { label: string; url: string }[];
}

/** A friendly page for an error; never indexed, and without internal details of the fault. */
export function renderErrorPage(view: ErrorPageView): string {
  return renderLayout({
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
