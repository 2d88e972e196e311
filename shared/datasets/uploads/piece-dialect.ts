import type { AssetRow } from "../../../sql/datasets/assets.ts";
import { refuseField } from "../../ground/errors.ts";
import type { Dialect } from "../../tables/dialects/dialect.ts";
import { readInspection } from "./public-files.ts";

/**
 * How the parts of a base are read where their sender says nothing: by what its own part was read by, else as it is; null
 * for the canonical dialect. What a dialect says of one file's lines is left out.
 */
export function pieceDialectOf({ piece_dialect, dialect }: AssetRow): Dialect | null {
  const kept = piece_dialect ?? dialect;
  if (kept === null) return null;
  const {
    headerRows: _,
    rows: __,
    nullColumns: ___,
    lineTerminator: ____,
    ...piece
  } = JSON.parse(kept) as Dialect;
  return piece;
}

/**
 * How a part is read: as its sender says, else as its base is; null for the canonical dialect. Marks of numbers are for the
 * columns of the base that are made of them. Throws 422 on `dialect` for `auto`.
 */
export function findPieceDialect(base: AssetRow, asked: Dialect | "auto" | null): Dialect | null {
  if (asked === "auto")
    throw refuseField(
      "dialect",
      "Only a whole file is read by the plan that is found. Name the dialect of these rows.",
    );
  const dialect = asked ?? pieceDialectOf(base);
  const isMarked = dialect?.decimalChar !== undefined || dialect?.groupChar !== undefined;
  if (!isMarked || dialect?.columns !== undefined) return dialect;
  const found = readInspection(base);
  const numbers = found?.kind === "table" ? found.columns.filter(({ type }) => type === "number") : [];
  return { ...dialect, columns: numbers.map(({ name }) => name) };
}
