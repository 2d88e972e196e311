import type { FieldErrors } from "./errors.ts";

/** The most entries of a page of a list. */
export const MOST_PER_PAGE = 100;
/** The entries of a page where the request names no number. */
export const DEFAULT_PER_PAGE = 20;
/** A later page is read as this one: past the end of every list, and its offset is still an exact number. */
const LAST_PAGE = Math.floor(Number.MAX_SAFE_INTEGER / MOST_PER_PAGE);

/** The requested part of a list. */
export interface PageQuery {
  page: number;
  perPage: number;
}

/** Reads `page` and `per_page`: a larger size is cut to 100, anything but a positive integer is a fault. */
export function readPageQuery(
  query: Record<string, unknown>,
  faults: FieldErrors,
  perPageByDefault = DEFAULT_PER_PAGE,
): PageQuery {
  const page = readPositive(query.page, "page", 1, faults);
  const perPage = readPositive(query.per_page, "per_page", perPageByDefault, faults);
  return { page, perPage: Math.min(perPage, MOST_PER_PAGE) };
}

function readPositive(value: unknown, name: string, byDefault: number, faults: FieldErrors): number {
  if (value === undefined) return byDefault;
  const number = typeof value === "string" && /^\d+$/.test(value) ? Math.min(Number(value), LAST_PAGE) : 0;
  if (number < 1) faults[name] ??= [`The ${name} must be a whole number of 1 or more.`];
  return number;
}

/** The frame of every list: `data`, `links` that keep the query, `meta` (contract section 5 D). */
export function frameList(
  path: string,
  query: Record<string, unknown>,
  { page, perPage }: PageQuery,
  list: { items: readonly unknown[]; total: number },
) {
  const lastPage = Math.max(1, Math.ceil(list.total / perPage));
  const from = list.items.length === 0 ? null : (page - 1) * perPage + 1;
  const linkTo = (target: number) => `${path}?${toQueryString({ ...query, page: String(target) })}`;
  return {
    data: list.items,
    links: {
      first: linkTo(1),
      last: linkTo(lastPage),
      prev: page > 1 ? linkTo(Math.min(page - 1, lastPage)) : null,
      next: page < lastPage ? linkTo(page + 1) : null,
    },
    meta: {
      current_page: page,
      from,
      last_page: lastPage,
      path,
      per_page: perPage,
      to: from === null ? null : from + list.items.length - 1,
      total: list.total,
    },
  };
}

/** Writes the page last, as in the contract's examples. */
function toQueryString(query: Record<string, unknown>): string {
  const { page, ...others } = query;
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(others)) parameters.append(name, String(value));
  parameters.append("page", String(page));
  return parameters.toString();
}
