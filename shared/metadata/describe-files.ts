import type { FileRow } from "../../sql/revision-files.ts";
import { addressesOf } from "../addresses.ts";
import { readChecks, readDictionary, readTables } from "../assets/present-public-file.ts";
import type { ShownFiles } from "../assets/public-files.ts";
import { showForms } from "../assets/statistics.ts";
import type { Inspection, TableSummary } from "../core/inspect/verdict.ts";
import { describeTables } from "../core/metadata/describe-tables.ts";
import type { DescribedFile } from "../core/metadata/described-work.ts";
import { showParquet } from "../parquet/shown-parquet.ts";
import type { RenderContext } from "../render-context.ts";

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
  const [read, forms, parquet] = await Promise.all([
    reading,
    showForms(context, revisionId, withTables),
    showParquet(context.deps, revisionId, files),
  ]);
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
