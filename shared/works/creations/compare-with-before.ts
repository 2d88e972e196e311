import { isDeepStrictEqual } from "node:util";
import type { Tx } from "../../../sql/connection/pool.ts";
import { listFilesOfRevision } from "../../../sql/datasets/revision-files.ts";
import type { RevisionRow } from "../../../sql/works/revisions.ts";
import { pairFiles } from "../../tables/differences/pair-files.ts";
import { quoteName } from "../../tables/rows/plan.ts";
import { NOTHING_CHANGED, type Warning } from "./publication-checks.ts";

/** What a save is told where it says what the revision before said, or loses what that said of its files. */
export async function compareWithBefore(tx: Tx, before: RevisionRow, after: RevisionRow): Promise<Warning[]> {
  const saidBy = ({ checksum, section, disclosure }: RevisionRow) => [checksum, section, disclosure];
  if (isDeepStrictEqual(saidBy(before), saidBy(after))) return [NOTHING_CHANGED];
  return await findDroppedDictionaries(tx, before, after);
}

/** The files of a revision that take the place of one with a dictionary and have none, as warnings of its save. */
async function findDroppedDictionaries(
  tx: Tx,
  before: { id: string; payload: object | null },
  after: { id: string },
): Promise<Warning[]> {
  // Most works have none, and the files of a revision come with all that inspection found.
  if (!JSON.stringify(before.payload).includes('"dictionary":')) return [];
  const [old, files] = [await listFilesOfRevision(tx, before.id), await listFilesOfRevision(tx, after.id)];
  return pairFiles(old, files).flatMap(({ from, to }): Warning[] => {
    const isDropped = from?.dictionary != null && to !== null && to.dictionary === null;
    if (!isDropped || from.asset_id === to.asset_id) return [];
    const name = quoteName(from.label);
    return [
      {
        code: "dictionary_dropped",
        field: `payload.attachments.${files.indexOf(to)}`,
        message: `It takes the place of the file ${name}, which had a dictionary, and has none. Send the dictionary with it, or swap the file with changes.files, which keeps it.`,
      },
    ];
  });
}
