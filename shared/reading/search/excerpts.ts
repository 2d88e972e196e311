import type { Db } from "../../../sql/connection/pool.ts";
import { listFilesOfRevisions } from "../../../sql/datasets/revision-files.ts";
import type { FoundCreationRow } from "../../../sql/reading/found-creations.ts";
import { cutStart, findExcerpt, type Line } from "../../text/search/excerpt.ts";
import type { QueryTerms } from "../../text/search/query-terms.ts";
import { toPlainText } from "./index-agent.ts";
import { columnsOf } from "./index-creation.ts";

/** The matched place of each hit, in their order; where the words stand elsewhere or are none, how the work begins. */
export async function listExcerpts(
  db: Db,
  terms: QueryTerms,
  rows: readonly FoundCreationRow[],
): Promise<(string | null)[]> {
  const names = await listNames(db, rows);
  return rows.map((row) => {
    const body = listLines(row.opening ?? "");
    const others = [row.summary ?? "", ...(names.get(row.revision_id) ?? []), row.title];
    const found = findExcerpt([...body, ...others.map((text) => ({ text }))], terms);
    return found ?? cutStart(row.summary === null ? body.slice(0, 1) : [{ text: row.summary }]);
  });
}

/** The lines of a Markdown text that are no part of a fence: drawings are not searched. */
function listLines(markdown: string): Line[] {
  let isInside = false;
  return markdown.split("\n").flatMap((text) => {
    const isFence = /^ {0,3}(?:```|~~~)/.test(text);
    if (isFence) isInside = !isInside;
    return isFence || isInside || text.trim() === "" ? [] : [{ text, toText: toPlainText }];
  });
}

/** The labels and column names of the files of hits that have files, by revision. */
async function listNames(db: Db, rows: readonly FoundCreationRow[]): Promise<Map<string, string[]>> {
  const withFiles = rows.filter(({ type }) => type === "dataset" || type === "file");
  const names = new Map<string, string[]>();
  const ids = withFiles.map((row) => row.revision_id);
  for (const { revision_id, label, inspection, tables } of await listFilesOfRevisions(db, ids)) {
    const known = names.get(revision_id) ?? [];
    names.set(revision_id, [...known, label, columnsOf(inspection, tables).join(", ")]);
  }
  return names;
}
