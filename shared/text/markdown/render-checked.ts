import { markdownIt } from "./parse.ts";

const { escapeHtml } = markdownIt.utils;

/** A figure of a text that the data bear out, as its page shows it. */
export interface CheckedFigure {
  text: string;
  /** The canonical question. */
  question: string;
  /** The line that says where the value comes from, as HTML. */
  line: string;
}

/** The id of a figure's entry; ids of figures hold a colon, which no slug of a heading does. */
export function entryId(idPrefix: string, index: number): string {
  return `${idPrefix}figure:${index + 1}`;
}

/** The id of a place in the text where a figure stands. */
export function markId(idPrefix: string, index: number, use: number): string {
  return `${idPrefix}figureref:${index + 1}${use === 0 ? "" : `:${use + 1}`}`;
}

/** The list below a text of what the data say of its figures, as HTML; `uses` says how often each is marked in it. */
export function renderChecked(
  figures: readonly CheckedFigure[],
  { idPrefix, uses, rank }: { idPrefix: string; uses: readonly number[]; rank: number },
): string {
  const items = figures.map(
    ({ text, question, line }, index) =>
      `<li id="${entryId(idPrefix, index)}"><bdi>${escapeHtml(text)}</bdi>${linkBack(idPrefix, index, uses[index] ?? 0)}
<p class="small">Question: <code>${escapeHtml(question)}</code></p>${line}</li>`,
  );
  const heading = `<h${rank} id="${idPrefix}figures:">Figures checked against the data</h${rank}>`;
  return `<section class="footnotes" aria-labelledby="${idPrefix}figures:">\n${heading}\n<ol>\n${items.join("\n")}\n</ol>\n</section>\n`;
}

function linkBack(idPrefix: string, index: number, uses: number): string {
  let html = "";
  for (let use = 0; use < uses; use++)
    html += ` <a href="#${markId(idPrefix, index, use)}" class="footnote-back" aria-label="Back to the text">\u21a9\ufe0e</a>`;
  return html;
}
