import { clipText } from "../../../shared/ground/text.ts";
import type { Dictionary } from "../../../shared/tables/dictionary/dictionary.ts";
import type { Column } from "../../../shared/tables/inspection/verdict.ts";
import { type Html, html } from "../parts/markup.ts";

/** The class of a cell that holds a figure. */
export function markFigure({ type }: { type: Column["type"] | null }): Html | null {
  return type === "number" ? html` class="fg"` : null;
}

// Letters that run from the left need no mark, and a table of two thousand cells has no room for it.
const OTHER_DIRECTION = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** The direction of a text where it may run from the right. */
export function markDirection(text: string): Html | null {
  return OTHER_DIRECTION.test(text) ? html` dir="auto"` : null;
}

const TITLE_CHARACTERS = 80;
const DESCRIPTION_CHARACTERS = 200;

/** What an agent says of a column, behind its name: title, unit, description and what stands for blank. */
export function renderMeaning(said: Dictionary | null, name: string): Html | null {
  const column = said?.columns.find((one) => one.name === name);
  const { title, unit, description, missing_values: missing } = column ?? {};
  // A unit alone would be a word that says nothing.
  const named = title === undefined && unit !== undefined ? `Unit: ${unit}` : unit;
  const words = [title, named].flatMap((text) =>
    text === undefined ? [] : [html`<bdi>${clipText(text, TITLE_CHARACTERS)}</bdi>`],
  );
  const [first, second] = words;
  const head = second === undefined ? first : html`${first}, ${second}`;
  const text =
    description === undefined ? null : html`<bdi>${clipText(description, DESCRIPTION_CHARACTERS)}</bdi>`;
  // The figures beside it are of the cells as written, so they count such a cell as any other.
  const blanks =
    missing === undefined
      ? null
      : html`Stands for blank: ${missing.map((cell, at) => html`${at > 0 ? ", " : null}<bdi>${clipText(cell, TITLE_CHARACTERS)}</bdi>`)}`;
  const [lead, ...others] = [head, text, blanks].filter((line) => line != null);
  if (lead === undefined) return null;
  return html`<p class="small">${lead}${others.map((line) => html`<br>${line}`)}</p>`;
}
