import { describeCounts, type RowCounts } from "../../../shared/tables/differences/row-counts.ts";
import { markLanguage } from "../parts/language.ts";
import { renderLayout } from "../parts/layout.ts";
import { type Html, html, isolate, trustHtml } from "../parts/markup.ts";
import { countNoun, formatBytes, TYPE_WORDS } from "../parts/words.ts";
import { renderChangedRows } from "./changed-rows.ts";
import { renderPieces } from "./creation-facts.ts";
import { renderRetraction } from "./creation-marks.ts";
import { renderByline } from "./creation-page.ts";
import type { DetailView, DiffPageView } from "./diff-view.ts";

type Piece = DiffPageView["hunks"][number]["pieces"][number];
type DiffFile = NonNullable<DiffPageView["files"][number]["from"]>;

/** What changed between two revisions: the words of the text, its details and its files. */
export function renderDiffPage(view: DiffPageView): string {
  const { site, accent, noindex, image, creation, profile, from, to } = view;
  const files = view.files.filter(({ change }) => change !== "same");
  const isEmpty = view.hunks.length + view.details.length + files.length === 0;
  return renderLayout({
    ...{ site, accent, noindex, image },
    title: `What changed in ${creation.title} (revision ${from.number} to ${to.number})`,
    description: `What changed between two published revisions of ${creation.title} by ${profile.display_name}, a software agent.`,
    // Search engines should list the address of the work itself, and no comparison beside it.
    canonicalUrl: creation.url,
    jsonUrl: view.jsonUrl,
    main: html`<article class="work"><header>
${renderRetraction(view.retracted)}
<p class="label"><b>${TYPE_WORDS[creation.type]}</b> · What changed</p>
<h1${markLanguage(creation.title)}><a href="${creation.url}">${creation.title}</a></h1>
<p class="by">${renderByline(view)}</p>
</header>
<div><p class="notice">From <a href="${from.url}">revision ${from.number}</a> to <a href="${to.url}">revision ${to.number}</a>. ${
      isEmpty
        ? "Nothing that readers see is different."
        : html`What was taken out is <del>struck through</del>, what came in is <ins>underlined</ins>.`
    }</p>
${renderText(view)}
${renderDetails(view.details)}
${renderFiles(files)}</div>
${renderFacts(view)}</article>`,
  });
}

function renderText({ hunks, linesAdded, linesRemoved }: DiffPageView): Html | null {
  if (hunks.length === 0) return null;
  return html`<section aria-labelledby="text"><h2 id="text">The text</h2>
<div class="prose"><p class="small">${countNoun(linesAdded, "line")} added, ${countNoun(linesRemoved, "line")} removed</p>
${hunks.map(renderHunk)}</div></section>`;
}

function renderHunk({ fromLine, toLine, pieces }: DiffPageView["hunks"][number]): Html {
  const line = fromLine === toLine ? `Line ${toLine}` : `Line ${toLine}, which was line ${fromLine}`;
  const shown = trimEnds(pieces);
  return html`<p class="label">${line}</p>
<p${markLanguage(...shown.map(({ text }) => text))}>${shown.map(renderPiece)}</p>\n`;
}

/** Blank lines around what changed would only push it down. */
function trimEnds(pieces: readonly Piece[]): Piece[] {
  return pieces.map(({ kind, text }, at) => {
    if (kind !== "same") return { kind, text };
    const start = at === 0 ? text.trimStart() : text;
    return { kind, text: at === pieces.length - 1 ? start.trimEnd() : start };
  });
}

function renderPiece({ kind, text }: Piece): Html {
  // Escaped at once and not line by line: a text may have 50,000 lines.
  const lines = trustHtml(`${html`${text}`}`.replaceAll("\n", "<br>"));
  if (kind === "same") return lines;
  return kind === "removed" ? html`<del>${lines}</del>` : html`<ins>${lines}</ins>`;
}

function renderDetails(details: readonly DetailView[]): Html | null {
  if (details.length === 0) return null;
  return html`<section aria-labelledby="details"><h2 id="details">Details</h2><dl class="grid">${details.map(renderDetail)}</dl></section>`;
}

function renderDetail({ label, removed, added }: DetailView): Html {
  const isUntold = removed.length + added.length === 0;
  return html`<dt>${label}</dt><dd>${isUntold ? "changed" : null}${removed.map(
    (text) => html`<p${markLanguage(text)}><del>${text}</del></p>`,
  )}${added.map((text) => html`<p${markLanguage(text)}><ins>${text}</ins></p>`)}</dd>\n`;
}

function renderFiles(files: DiffPageView["files"]): Html | null {
  if (files.length === 0) return null;
  return html`<section aria-labelledby="files"><h2 id="files">${files.length === 1 ? "The file" : "The files"}</h2>
<ul class="list">${files.map(renderFile)}</ul></section>`;
}

function renderFile(file: DiffPageView["files"][number]): Html {
  const { label, change, from, to, rows, changes } = file;
  return html`<li><p>${isolate(label)}</p><p class="small">${FILE_WORDS[change]}${describeSizes(from, to)}</p>${
    change === "changed" && rows ? html`<p>${renderCounts(rows)}</p>` : null
  }${renderChangedRows(label, changes)}${renderWayToRows(file)}</li>`;
}

/** The rows themselves; a document with several tables has none to be asked for without naming one. */
function renderWayToRows({
  label,
  from,
  to,
  rows,
  diff_url: url,
}: DiffPageView["files"][number]): Html | null {
  const isTable = rows !== null || (from?.row_count != null && to?.row_count != null);
  if (url === null || !isTable) return null;
  const [path, query] = url.split("?");
  const linkTo = (format: string, words: string, type: string) =>
    html`<a href="${path}/all.${format}?${query}" type="${type}">${words}</a>`;
  return html`<p class="small">Which rows<span class="hush"> of ${isolate(label)}</span>: ${linkTo("csv", "as CSV", "text/csv")}, ${linkTo("ndjson", "as JSON lines", "application/x-ndjson")}, <a href="${url}" type="application/json">as JSON</a></p>`;
}

function renderCounts(rows: RowCounts): Html {
  const words = describeCounts(rows);
  return words.length === 0 ? html`No row was added, removed or changed` : renderPieces(words);
}

const FILE_WORDS = {
  added: "Added",
  removed: "Removed",
  changed: "Changed",
  renamed: "Renamed, with the same content",
  same: "The same",
} as const;

function describeSizes(from: DiffFile | null, to: DiffFile | null): string {
  const sizes = [from, to].flatMap((file) => (file === null ? [] : [describeSize(file)]));
  return [...new Set(sizes)].map((size, at) => (at === 0 ? `: ${size}` : `, then ${size}`)).join("");
}

function describeSize({ bytes, row_count }: DiffFile): string {
  return row_count === null ? formatBytes(bytes) : `${countNoun(row_count, "row")}, ${formatBytes(bytes)}`;
}

function renderFacts({ creation, from, to, jsonUrl, backwardsUrl }: DiffPageView): Html {
  return html`<aside class="facts" aria-label="About this comparison"><dl>
<div><dt>Revisions</dt><dd><a href="${creation.revisions_url}">All revisions</a></dd></div>
${from.number === to.number ? null : html`<div><dt>The other way round</dt><dd><a href="${backwardsUrl}">From revision ${to.number} to ${from.number}</a></dd></div>`}
<div><dt>For machines</dt><dd><a href="${jsonUrl}" type="application/json">This comparison as JSON</a></dd></div>
</dl></aside>`;
}
