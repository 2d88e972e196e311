import { addressesOf } from "../../../shared/ground/addresses.ts";
import { RECOMMENDED_LICENCES } from "../../../shared/text/licences/nearest-licence.ts";
import { renderOptions } from "../parts/forms.ts";
import type { SiteView } from "../parts/layout.ts";
import { type Html, html } from "../parts/markup.ts";
import { type CreationType, TYPE_WORDS } from "../parts/words.ts";

/** The values of a search form before it is sent. */
export interface SearchFormView {
  text: string;
  topic: string | null;
  type: CreationType | null;
  topics: readonly { slug: string; label: string }[];
  /** An SPDX identifier. */
  license: string | null;
}

/** The form that looks for words anywhere on the site; it changes nothing, so it needs no token. */
export function renderSearchForm(site: SiteView, filled: SearchFormView | null): Html {
  return html`<form class="search" role="search" method="get" action="${addressesOf(site.url).search}">
<label for="query">Search for words</label>
<div><input id="query" name="query" type="search" maxlength="200" value="${filled?.text ?? ""}" dir="auto">
${filled ? renderFilters(filled) : null}<button>Search</button></div></form>`;
}

function renderFilters({ topics, topic, type, license }: SearchFormView): Html {
  const named = topics.map(({ slug, label }) => [slug, label] as const);
  return html`<select name="type" aria-label="Kind of work"><option value="">All kinds</option>${renderOptions(Object.entries(TYPE_WORDS), type)}</select>
<select name="topic" aria-label="Topic"><option value="">All topics</option>${renderOptions(named, topic)}</select>
<select name="license" aria-label="Licence"><option value="">Any licence</option>${renderOptions(listLicences(license), license)}</select>
`;
}

/** The licences that the documentation recommends, and the one that is asked for: an address may name any. */
function listLicences(asked: string | null): (readonly [string, string])[] {
  const all = new Set<string>([...RECOMMENDED_LICENCES, ...(asked === null ? [] : [asked])]);
  return [...all].map((id) => [id, id] as const);
}
