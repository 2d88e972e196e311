import { clipText } from "../../../shared/ground/text.ts";
import { type Html, html, isolate } from "../parts/markup.ts";
import { cutName } from "../parts/words.ts";

/** The first changes of the rows of a file; their numbers are texts. */
export interface FirstChanges {
  key: string[] | null;
  columns: Record<"same" | "added" | "removed", string[]>;
  rows: ShownChange[];
  returned: string;
  matched: string;
}

interface ShownChange {
  change: "added" | "removed" | "changed";
  key: unknown[] | null;
  base_row: string | null;
  head_row: string | null;
  /** The cells of an added or removed row, by column; of a changed one those that differ, before and after. */
  row?: Record<string, unknown>;
  cells?: Record<string, [before: unknown, after: unknown]>;
}

const MOST_COLUMNS = 8;
const CELL_CHARACTERS = 80;

/** What a row came to, in words and with a mark, as colours alone tell nothing to some. */
const CHANGE_WORDS = { added: "+ Added", removed: "− Removed", changed: "± Changed" } as const;

/** The first changed rows of a file as a table; null where there are none. */
export function renderChangedRows(label: string, changes: FirstChanges | null): Html | null {
  if (changes === null || changes.rows.length === 0) return null;
  const { rows, returned, matched, key } = changes;
  const names = listNames(changes);
  const shown = names.slice(0, MOST_COLUMNS);
  const columns = names.length > shown.length ? `, ${shown.length} of ${names.length} columns` : "";
  return html`<div class="sheet" role="group" tabindex="0" aria-label="Changed rows of ${label}"><table>
<caption>${returned} of ${matched} rows that came, went or changed${columns}</caption>
<thead><tr><th scope="col">Change</th><th scope="col" class="fg">Row</th>${shown.map((name) => html`<th scope="col">${isolate(cutName(name))}</th>`)}</tr></thead>
<tbody>${rows.map((row) => renderRow(row, key ?? [], shown))}</tbody>
</table></div>`;
}

/** The columns that tell most come first: the key, then those in which a row changed. */
function listNames({ key, columns, rows }: FirstChanges): string[] {
  const changed = rows.flatMap(({ cells }) => Object.keys(cells ?? {}));
  return [...new Set([...(key ?? []), ...changed, ...columns.same, ...columns.added, ...columns.removed])];
}

function renderRow(row: ShownChange, key: readonly string[], names: readonly string[]): Html {
  const number = row.head_row ?? row.base_row;
  return html`<tr><th scope="row">${CHANGE_WORDS[row.change]}</th><td class="fg">${number}</td>${names.map((name) => renderCell(row, key.indexOf(name), name))}</tr>\n`;
}

function renderCell({ change, key, row, cells }: ShownChange, keyAt: number, name: string): Html {
  const both = cells?.[name];
  if (both !== undefined)
    return html`<td><del>${showCell(both[0])}</del> <ins>${showCell(both[1])}</ins></td>`;
  if (change === "changed") return html`<td>${keyAt === -1 ? null : showCell(key?.[keyAt])}</td>`;
  const cell = showCell(row?.[name]);
  return change === "added" ? html`<td><ins>${cell}</ins></td>` : html`<td><del>${cell}</del></td>`;
}

function showCell(cell: unknown): Html | null {
  if (cell === null || cell === undefined || cell === "") return null;
  return isolate(clipText(typeof cell === "string" ? cell : JSON.stringify(cell), CELL_CHARACTERS));
}
