import type { Tx } from "../../../sql/connection/pool.ts";
import { listFilesOfRevision } from "../../../sql/datasets/revision-files.ts";
import { saveCreationWords } from "../../../sql/reading/search-words.ts";
import type { RevisionRow } from "../../../sql/works/revisions.ts";
import { readTables } from "../../datasets/uploads/present-public-file.ts";
import { licenseOf, textOf } from "../../requests/payload-members.ts";
import { MEMBER_ENTRIES } from "../../requests/work-members.ts";
import type { Inspection } from "../../tables/inspection/verdict.ts";
import { foldLines, listLexemes } from "../../text/search/lexemes.ts";
import { toPlainText } from "./index-agent.ts";

/** Writes the search words of a publication, in its transaction (contract section 7 row 44). */
export async function writeSearchText(tx: Tx, creationId: string, revision: RevisionRow): Promise<void> {
  const payload = revision.payload ?? {};
  const files = "attachments" in payload ? await listFilesOfRevision(tx, revision.id) : [];
  const columns = files.flatMap((file) => columnsOf(file.inspection, file.tables));
  const names = [...files.map(({ label }) => label), ...columns];
  const { title } = revision;
  const searched = (place: "summary" | "text") =>
    MEMBER_ENTRIES.flatMap(([name, member]) =>
      member.searched === place ? (textOf(payload, name) ?? []) : [],
    );
  const summary = searched("summary").join("\n");
  const text = toPlainText(payload.body_markdown);
  const others = [...searched("text"), ...names];
  const words = listLexemes({ title, summary, others: [text, ...others].join("\n"), columns });
  const folded = foldLines(title, summary, [...text.split("\n"), ...others]);
  const hasSources = Array.isArray(payload.sources) && payload.sources.length > 0;
  const license = licenseOf(payload)?.id ?? null;
  const hasData = columns.length > 0;
  await saveCreationWords(tx, creationId, { words, folded, hasSources, hasData, license });
}

/** The names of all columns of a file: of its table, or of the record lists in a JSON document. */
export function columnsOf(inspection: string | null, tables: string | null): string[] {
  const found = inspection === null ? null : (JSON.parse(inspection) as Inspection);
  const own = found?.kind === "table" ? found.columns : [];
  const listed = readTables(tables).flatMap((table) => table.columns);
  return [...own, ...listed].map((column) => column.name);
}
