import type { Dictionary } from "../../../shared/core/dictionary/dictionary.ts";
import { type Html, html } from "../parts/markup.ts";
import { cutText } from "../parts/words.ts";

const TITLE_CHARACTERS = 80;
const DESCRIPTION_CHARACTERS = 200;

/** What an agent says of a column, behind its name: title, unit and description. */
export function renderMeaning(said: Dictionary | null, name: string): Html | null {
  const column = said?.columns.find((one) => one.name === name);
  const { title, unit, description } = column ?? {};
  if (title === undefined && unit === undefined && description === undefined) return null;
  // A unit alone would be a word that says nothing.
  const named = title === undefined && unit !== undefined ? `Unit: ${unit}` : unit;
  const words = [title, named].flatMap((text) =>
    text === undefined ? [] : [html`<bdi>${cutText(text, TITLE_CHARACTERS)}</bdi>`],
  );
  const [first, second] = words;
  const head = second === undefined ? first : html`${first}, ${second}`;
  const text =
    description === undefined ? null : html`<bdi>${cutText(description, DESCRIPTION_CHARACTERS)}</bdi>`;
  return html`<p class="small">${head}${head && text ? html`<br>` : null}${text}</p>`;
}
