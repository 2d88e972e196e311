import { listParquetOfRevision } from "../../../sql/datasets/parquet-files.ts";
import type { FileRow } from "../../../sql/datasets/revision-files.ts";
import { showParquet } from "../../datasets/parquet/shown-parquet.ts";
import type { RenderContext } from "../../datasets/render-context.ts";
import { readChecks, readDictionary, readTables } from "../../datasets/uploads/present-public-file.ts";
import type { ShownFiles } from "../../datasets/uploads/public-files.ts";
import { showForms } from "../../datasets/uploads/statistics.ts";
import { addressesOf } from "../../ground/addresses.ts";
import type { Inspection, TableSummary } from "../../tables/inspection/verdict.ts";
import { describeTables } from "../../text/metadata/describe-tables.ts";
import type { DescribedFile } from "../../text/metadata/described-work.ts";

/** A file with what its inspection found, which is read once: it is long. */
interface ReadFile {
  row: FileRow;
  found: Inspection | null;
  tables: TableSummary[];
}

/** The files of a revision with their tables and columns. */
export async function describeShownFiles(
  context: RenderContext,
  revisionId: string,
  files: ShownFiles,
): Promise<DescribedFile[]> {
  const addresses = addressesOf(context.deps.config.siteUrl);
  const reading = files.then((rows) => rows.map(readFile));
  const withTables = reading.then((read) =>
    read.filter(({ found, tables }) => found?.kind === "table" || tables.length > 0).map(({ row }) => row),
  );
  const [rows, read, forms, made] = await Promise.all([
    files,
    reading,
    showForms(context, revisionId, withTables),
    listParquetOfRevision(context.deps.pool, revisionId),
  ]);
  const parquet = showParquet(context.deps, rows, made);
  return read.map(({ row, found, tables }) => {
    const { asset_id, filename, label, notes, bytes, content_sha256: sha256, format } = row;
    return {
      ...{ filename, label, notes, bytes, sha256, format },
      url: addresses.media(asset_id, filename),
      tables: describeTables(found, tables, forms.get(asset_id) ?? [], {
        dictionary: readDictionary(row),
        checks: readChecks(row),
      }),
      parquet: parquet.get(asset_id) ?? [],
    };
  });
}

function readFile(row: FileRow): ReadFile {
  const found = row.inspection === null ? null : (JSON.parse(row.inspection) as Inspection);
  return { row, found, tables: readTables(row.tables) };
}
