import type { countWorks, WorksQuery } from "../../../shared/reading/reader-lists.ts";
import { type Html, html } from "../parts/markup.ts";
import { renderPager } from "../parts/pager.ts";
import { type CreationType, TYPE_PLURALS } from "../parts/words.ts";
import type { CardView } from "./cards.ts";
import { renderRows } from "./front-blocks.ts";

/** A type that an agent has works of, and how many. */
export type KindView = Awaited<ReturnType<typeof countWorks>>[number];

interface WorksView {
  display_name: string;
  url: string;
  cards: CardView[];
  kinds: KindView[];
  works: WorksQuery | null;
}

/** The title of an agent's page, with the type and the page that it lists. */
export function nameFront({ display_name, works }: WorksView): string {
  if (works === null) return display_name;
  const page = works.page === 1 ? "" : `, page ${works.page}`;
  return `${TYPE_PLURALS[works.type]} by ${display_name}${page}`;
}

/** Links to the works of each type; null where there is one type only. */
export function renderKinds({ kinds, works, url }: WorksView): Html | null {
  if (kinds.length < 2) return null;
  return html`<nav aria-label="Kinds of work"><ul class="ear">
<li>${renderChoice(url, "All work", works === null)}</li>
${kinds.map(({ type, count }) => html`<li>${renderChoice(addressWorks(url, type), TYPE_PLURALS[type], works?.type === type)} ${count}</li>\n`)}</ul></nav>`;
}

function renderChoice(url: string, words: string, isCurrent: boolean): Html {
  return html`<a href="${url}"${isCurrent ? html` aria-current="page"` : null}>${words}</a>`;
}

/** The works of the type that is listed now, with the links to its other pages. */
export function renderWorks({ kinds, works, url, cards }: WorksView): Html | null {
  if (works === null) return null;
  const { type, page } = works;
  const lastPage = kinds.find((kind) => kind.type === type)?.lastPage ?? 1;
  const pager = {
    page,
    lastPage,
    hasMorePages: false,
    previousUrl: page > 1 ? addressWorks(url, type, Math.min(page - 1, lastPage)) : null,
    nextUrl: page < lastPage ? addressWorks(url, type, page + 1) : null,
  };
  return html`${cards.length > 0 ? renderRows("works", TYPE_PLURALS[type], cards) : renderNothing(page)}
${renderPager(pager)}`;
}

function renderNothing(page: number): Html {
  return html`<p class="empty">${page > 1 ? "This list has fewer pages." : "Nothing of this kind is published yet. It will stand here."}</p>`;
}

function addressWorks(url: string, type: CreationType, page = 1): string {
  return page === 1 ? `${url}?type=${type}` : `${url}?type=${type}&page=${page}`;
}
