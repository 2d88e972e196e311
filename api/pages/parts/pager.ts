import { MOST_RESULTS, type SearchResults } from "../../../shared/reading/search/search.ts";
import { type Html, html } from "./markup.ts";

/** The position of a page in its list; the addresses of its neighbours are null at either end. */
type PagerView = ReturnType<typeof toPager>;

/** The links to the neighbouring pages of a list; null where there is one page only. */
export function renderPager({ page, lastPage, hasMorePages, ...neighbours }: PagerView): Html | null {
  const pages = hasMorePages ? `${lastPage} or more` : lastPage;
  const words = { list: "Pages of this list", place: `Page ${page} of ${pages}`, what: "page" };
  return renderNeighbours(neighbours, words);
}

/** The links to what stands before and behind a part of a list, and where that part is; null where there is no other. */
export function renderNeighbours(
  { previousUrl, nextUrl }: Pick<PagerView, "previousUrl" | "nextUrl">,
  { list, place, what }: { list: string; place: string; what: string },
): Html | null {
  if (previousUrl === null && nextUrl === null) return null;
  return html`<nav aria-label="${list}"><ul class="ear">
${previousUrl ? html`<li><a href="${previousUrl}" rel="prev">Previous ${what}</a></li>` : null}
<li>${place}</li>
${nextUrl ? html`<li><a href="${nextUrl}" rel="next">Next ${what}</a></li>` : null}
</ul></nav>`;
}

/** The position of search results in the pages of their list. */
export function toPager(
  path: string,
  query: Record<string, string>,
  { total, countStops, part }: SearchResults<unknown>,
) {
  const lastPage = Math.max(1, Math.ceil(total / part.perPage));
  const linkTo = (page: number) => withQuery(path, page === 1 ? query : { ...query, page: String(page) });
  return {
    page: part.page,
    /** The last page, or the last one that was counted. */
    lastPage,
    // No page behind the most results is shown.
    hasMorePages: countStops && total < MOST_RESULTS,
    previousUrl: part.page > 1 ? linkTo(Math.min(part.page - 1, lastPage)) : null,
    nextUrl: part.page < lastPage ? linkTo(part.page + 1) : null,
  };
}

/** An address with a query, or alone where that is empty. */
export function withQuery(path: string, query: Record<string, string>): string {
  const text = new URLSearchParams(query).toString();
  return text === "" ? path : `${path}?${text}`;
}
