import { type DiffView, openView } from "../../../../shared/tables/differences/write-change.ts";
import { writeDiffPage, writeDiffPiece } from "../../../../shared/tables/differences/write-diff.ts";
import type { Compared } from "./comparing.ts";

export const ALL_KINDS = [0, 1, 2, 3, 4];
const FILES = {
  base: { assetId: "01M7WVM8W0T8NYB19BE1ATAT9N", contentSha256: "2cf2" },
  head: { assetId: "01M8WVM8W0T8NYB19BE1ATAT9N", contentSha256: "77b0" },
};

/** A compared pair, ready to be written. */
export function viewOf(compared: Compared, kinds = ALL_KINDS, columns: string[] | null = null): DiffView {
  return openView(compared.plan, compared.found, compared.input, { kinds, columns });
}

/** The `data` of a page, and its text. */
export function writePage(
  view: DiffView,
  part: { offset?: number; limit?: number; mostBytes?: number } = {},
) {
  const wish = { offset: 0, limit: 1_000_000, mostBytes: 100_000_000, ...part };
  const text = Buffer.from(writeDiffPage(view, FILES, wish)).toString();
  return { text, data: JSON.parse(text) };
}

/** A whole export as text. */
export function writeAll(view: DiffView, format: "csv" | "ndjson"): string {
  const texts: Uint8Array[] = [];
  let state = { at: 0, skip: 0, left: Number.MAX_SAFE_INTEGER, isOver: false };
  while (!state.isOver) {
    const piece = writeDiffPiece(view, format, { isWhole: true, state });
    texts.push(piece.text);
    state = piece.state;
  }
  return Buffer.concat(texts).toString();
}
