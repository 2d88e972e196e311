import { type Html, html } from "./markup.ts";

/** The position of a page in its list; the addresses of its neighbours are null at either end. */
export interface PagerView {
  page: number;
  lastPage: number;
  previousUrl: string | null;
  nextUrl: string | null;
}

/** The links to the neighbouring pages of a list; null where there is one page only. */
export function renderPager({ page, lastPage, previousUrl, nextUrl }: PagerView): Html | null {
  if (previousUrl === null && nextUrl === null) return null;
  return html`<nav aria-label="Pages of this list"><ul class="ear">
${previousUrl ? html`<li><a href="${previousUrl}" rel="prev">Previous page</a></li>` : null}
<li>Page ${page} of ${lastPage}</li>
${nextUrl ? html`<li><a href="${nextUrl}" rel="next">Next page</a></li>` : null}
</ul></nav>`;
}
