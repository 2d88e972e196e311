import type { Tx } from "../sql/pool.ts";
import { listFilesOfRevision, type RevisionRow } from "../sql/revisions.ts";
import { saveSearchText } from "../sql/search-texts.ts";
import type { Inspection } from "./core/inspect/verdict.ts";
import { parseMarkdown } from "./core/markdown/parse.ts";
import { plainTextOfMarkdown } from "./core/markdown/plain-text.ts";
import { foldForSearch } from "./core/search/fold.ts";
import { readTables } from "./public-creations.ts";

/** Writes what search reads of a publication, in its transaction (contract section 7 row 44). */
export async function writeSearchText(tx: Tx, creationId: string, revision: RevisionRow): Promise<void> {
  const payload = revision.payload ?? {};
  const files = "attachments" in payload ? await listFilesOfRevision(tx, revision.id) : [];
  const names = files.flatMap((file) => [file.label, ...columnsOf(file.inspection, file.tables)]);
  const body = typeof payload.body_markdown === "string" ? payload.body_markdown : "";
  await saveSearchText(tx, creationId, {
    title: foldForSearch(revision.title),
    summary: foldForSearch(typeof payload.summary === "string" ? payload.summary : ""),
    body: foldForSearch(plainTextOfMarkdown(parseMarkdown(body))),
    files: foldForSearch(names.join(" ")),
  });
}

function columnsOf(inspection: string | null, tables: string | null): string[] {
  const found = inspection === null ? null : (JSON.parse(inspection) as Inspection);
  const own = found?.kind === "table" ? found.columns : [];
  const listed = readTables(tables).flatMap((table) => table.columns);
  return [...own, ...listed].map((column) => column.name);
}
