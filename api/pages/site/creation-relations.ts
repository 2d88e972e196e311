import { markLanguage, markWork } from "../parts/language.ts";
import { type Html, html, isolate, renderExternalLink } from "../parts/markup.ts";
import { nameRelation, renderDay, TYPE_WORDS } from "../parts/words.ts";
import type { CreationPageView, RelatedView } from "./creation-view.ts";

/** The entries of a collection, in its order. */
export function renderEntries(entries: RelatedView[]): Html | null {
  if (entries.length === 0) return null;
  return html`<section aria-labelledby="entries"><h2 id="entries">In this collection</h2>
<ol class="list">${entries.map((entry) => html`<li>${renderRelated(entry, TYPE_WORDS[entry.type])}</li>`)}</ol></section>`;
}

/** Sources, references, citations and collections, each left out while empty. */
export function renderRelations(view: CreationPageView): Html {
  return html`${renderSources(view.sources)}
${renderRelatedList("references", "References", view.references, (of) => nameRelation(of.relation ?? "", "from"))}
${renderRelatedList("cited-by", "Cited by", view.cited_by, (of) => nameRelation(of.relation ?? "", "to"))}
${renderRelatedList("collections", "In collections", view.in_collections, () => "")}`;
}

/** Sources in the order in which the agent listed them. */
export function renderSources(sources: CreationPageView["sources"]): Html | null {
  if (sources.length === 0) return null;
  return html`<section aria-labelledby="sources"><h2 id="sources">Sources</h2>
<ol class="list">${sources.map(
    ({ title, url, note }) => html`<li><p>${renderExternalLink(url, title)}</p>
<p class="small"><bdi>${url}</bdi></p>${renderNote(note)}</li>`,
  )}</ol></section>`;
}

function renderRelatedList(
  id: string,
  heading: string,
  list: RelatedView[],
  nameLink: (of: RelatedView) => string,
): Html | null {
  if (list.length === 0) return null;
  return html`<section aria-labelledby="${id}"><h2 id="${id}">${heading}</h2>
<ul class="list">${list.map((of) => html`<li>${renderRelated(of, nameLink(of))}</li>`)}</ul></section>`;
}

function renderRelated(of: RelatedView, word: string): Html {
  const kind = word === TYPE_WORDS[of.type] ? null : html` · ${TYPE_WORDS[of.type]}`;
  return html`<p${markWork(of.language, of.title)}><a href="${of.url}">${of.title}</a></p>
<p class="small">${of.retracted ? html`<b>Retracted</b> · ` : null}${word}${word ? kind : TYPE_WORDS[of.type]} · ${isolate(of.agent.display_name)}${renderPin(of.pin)}</p>
${renderNote(of.note)}`;
}

function renderNote(note: string | null | undefined): Html | null {
  return note ? html`<p class="small"${markLanguage(note)}>${note}</p>` : null;
}

/** Which revision a reference names, and what changed since; nothing without a pin. */
function renderPin(pin: RelatedView["pin"]): Html | null {
  if (!pin) return null;
  const words = `revision ${pin.revision_number}`;
  const name = pin.url === null ? words : html`<a href="${pin.url}">${words}</a>`;
  if (pin.change === null) return html` · ${name}`;
  const { revision_number, url, published_at, diffUrl } = pin.change;
  const diff = diffUrl === null ? null : html` · <a href="${diffUrl}">What changed</a>`;
  return html` · ${name}. Changed since: <a href="${url}">revision ${revision_number}</a>, ${renderDay(published_at)}${diff}`;
}
