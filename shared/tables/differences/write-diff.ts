import type { AskedFile } from "../questions/write-page.ts";
import { createRowWriter, joinBytes, takeBytes } from "../rows/cells.ts";
import type { ExportFormat } from "../rows/text-rows.ts";
import type { FoundDiff } from "./diff-tables.ts";
import type { DiffPlan } from "./plan-diff.ts";
import { countShown, type DiffView, put, writeChange } from "./write-change.ts";
import { openDaffWriter } from "./write-daff.ts";

/** Which part of the shown changes a page has. */
export interface DiffPart {
  offset: number;
  limit: number;
  mostBytes: number;
}

const FIRST_BYTES = 16_384;

/** Writes one page of a comparison: the complete `data` object as JSON. */
export function writeDiffPage(
  view: DiffView,
  files: { base: AskedFile; head: AskedFile },
  { offset, limit, mostBytes }: DiffPart,
): Uint8Array {
  const { plan, found, isShown } = view;
  const writer = createRowWriter(FIRST_BYTES);
  let [returned, left] = [0, offset];
  for (let at = 0; at < found.kinds.length && returned < limit; at++) {
    if (isShown[found.kinds[at] as number] === 0 || left-- > 0) continue;
    const before = writer.length;
    if (returned > 0) put(writer, ",");
    writeChange(writer, view, at);
    if (writer.length > mostBytes && returned > 0) {
      writer.length = before;
      break;
    }
    returned++;
  }
  const matched = countShown(view);
  const next = returned > 0 && offset + returned < matched ? offset + returned : null;
  const head = {
    base: presentFile(files.base, view.base.rowCount),
    head: presentFile(files.head, view.head.rowCount),
    key: found.key,
    columns: plan.columns,
    summary: presentCounts(plan, found),
  };
  return joinBytes([
    Buffer.from(`${JSON.stringify(head).slice(0, -1)},"rows":[`),
    writer.out.subarray(0, writer.length),
    Buffer.from(`],"returned":${returned},"matched":${matched},"next_offset":${next}}`),
  ]);
}

function presentFile({ assetId, contentSha256 }: AskedFile, rowCount: number) {
  return { asset_id: assetId, content_sha256: contentSha256, row_count: rowCount };
}

/** Where an export stands. */
export interface DiffExportState {
  /** The place of the next change. */
  at: number;
  /** Shown changes still to leave out, and still to write. */
  skip: number;
  left: number;
  isOver: boolean;
}

/** What one step writes: what a slow reader holds in memory, unless a single row is larger. */
const PIECE_BYTES = 196_608;

/** Writes changes up to the bytes of a piece, and says where the next one begins. */
export function writeDiffPiece(
  view: DiffView,
  format: ExportFormat,
  { isWhole, state }: { isWhole: boolean; state: DiffExportState },
): { text: Uint8Array; state: DiffExportState } {
  const { found, isShown } = view;
  const writer = createRowWriter(PIECE_BYTES + PIECE_BYTES / 4);
  const daff = format === "csv" ? openDaffWriter(view, isWhole) : null;
  let { at, skip, left } = state;
  if (at === 0) daff?.writeHeader(writer);
  for (; at < found.kinds.length && left > 0 && writer.length < PIECE_BYTES; at++) {
    if (isShown[found.kinds[at] as number] === 0) continue;
    if (skip > 0) {
      skip--;
      continue;
    }
    left--;
    if (daff !== null) daff.writeChange(writer, at);
    else {
      writeChange(writer, view, at);
      put(writer, "\n");
    }
  }
  const isOver = at === found.kinds.length || left === 0;
  if (isOver && left > 0) daff?.writeEnd(writer);
  return { text: takeBytes(writer), state: { at, skip, left, isOver } };
}

/**
 * The counts of a comparison, as answers tell them; `by_column` has the columns of both tables with changed cells, in the
 * order of the head.
 */
export function presentCounts({ columns }: Pick<DiffPlan, "columns">, found: FoundDiff) {
  const [added, removed, changed, moved] = found.counts;
  const byColumn = columns.same.flatMap((name, place) => {
    const times = found.byColumn[place] ?? 0;
    return times === 0 ? [] : [{ name, changed: times }];
  });
  return { added, removed, changed, moved, same: found.same, cells: found.cells, by_column: byColumn };
}
