import type { FileRow } from "../../sql/revision-files.ts";
import { addressesOf } from "../addresses.ts";
import { readTables } from "../assets/present-public-file.ts";
import { showForms } from "../assets/statistics.ts";
import type { Inspection } from "../core/inspect/verdict.ts";
import { describeTables } from "../core/metadata/describe-tables.ts";
import type { DescribedFile } from "../core/metadata/described-work.ts";
import type { RenderContext } from "../render-context.ts";

/** The files of a revision with their tables and columns. */
export async function describeShownFiles(
  context: RenderContext,
  revisionId: string,
  files: readonly FileRow[],
): Promise<DescribedFile[]> {
  const addresses = addressesOf(context.deps.config.siteUrl);
  const forms = await showForms(context, revisionId, files);
  return files.map((file) => {
    const { asset_id, filename, label, notes, bytes, content_sha256: sha256, format } = file;
    const found = file.inspection === null ? null : (JSON.parse(file.inspection) as Inspection);
    return {
      ...{ filename, label, notes, bytes, sha256, format },
      url: addresses.media(asset_id, filename),
      tables: describeTables(found, readTables(file.tables), forms.get(asset_id) ?? []),
    };
  });
}
