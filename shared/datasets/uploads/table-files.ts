import type { Db } from "../../../sql/connection/pool.ts";
import { findContents } from "../../../sql/datasets/assets.ts";
import type { OpenFileRow } from "../../../sql/reading/open-files.ts";
import { notFound, validationFailed } from "../../ground/errors.ts";
import { findNameFaults } from "../../ground/parameters.ts";
import type { RowsFiles } from "../../platform/threads/table-cache.ts";
import { chooseTableNumber, type RowsFile } from "../../tables/rows/plan.ts";
import { readTables } from "./present-public-file.ts";

/**
 * The facts about a file that the table reader needs. Reading up to 2 MB of inspection results takes longer
 * than a page, so they are cached. Throws `not_found` for a file that was deleted meanwhile.
 */
export async function findRowsFile(
  { pool, rowsFiles }: { pool: Db; rowsFiles: RowsFiles },
  { asset_id: id, format, bytes }: Pick<OpenFileRow, "asset_id" | "format" | "bytes">,
): Promise<RowsFile> {
  const known = rowsFiles.get(id);
  if (known !== undefined) return known;
  const found = await findContents(pool, id);
  if (found === null) throw notFound("published file");
  const file = toRowsFile({ format, bytes, ...found });
  rowsFiles.set(id, file, { size: 1 + JSON.stringify(file).length });
  return file;
}

/**
 * The table reader's facts from given inspection results, without sample and outline, which are most of them.
 */
export function toRowsFile(
  found: Pick<OpenFileRow, "format" | "bytes"> & { inspection: string | null; tables: string | null },
): RowsFile {
  const { format, bytes } = found;
  const inspection: RowsFile["inspection"] = found.inspection === null ? null : JSON.parse(found.inspection);
  return { format, bytes, inspection: keepColumns(inspection), tables: readTables(found.tables) };
}

/** The table that `table` names, where no other parameter may be sent. Throws 422 with every fault of the parameters. */
export function readTableParameter(file: RowsFile, parameters: URLSearchParams) {
  const faults = findNameFaults([...parameters.keys()], ["table"]);
  const chosen = chooseTableNumber(file, parameters.get("table"));
  if (Object.keys(faults).length > 0)
    throw validationFailed({ ...faults, ...(chosen.ok ? {} : chosen.errors) });
  return chosen;
}

function keepColumns(inspection: RowsFile["inspection"]): RowsFile["inspection"] {
  if (inspection?.kind !== "table") return inspection === null ? null : { kind: inspection.kind };
  const { kind, row_count, columns } = inspection;
  return { kind, row_count, columns };
}
