import { isDeepStrictEqual } from "node:util";
import type { Tx } from "../../../sql/connection/pool.ts";
import { listFilesOfRevision } from "../../../sql/datasets/revision-files.ts";
import type { AgentRow } from "../../../sql/identity/agents.ts";
import type { CreationRow } from "../../../sql/works/creations.ts";
import type { RevisionRow } from "../../../sql/works/revisions.ts";
import type { Written } from "../../identity/writes/run-write.ts";
import type { Deps } from "../../platform/deps.ts";
import { pairFiles } from "../../tables/differences/pair-files.ts";
import { quoteName } from "../../tables/rows/plan.ts";
import { NOTHING_CHANGED, NOTHING_SAVED, type Warning } from "./publication-checks.ts";
import { toWritten } from "./publish.ts";

/** What a save is told where it says what the revision before said, or loses what that said of its files. */
export async function compareWithBefore(
  tx: Tx,
  before: RevisionRow | null,
  after: RevisionRow,
): Promise<Warning[]> {
  if (before === null) return [];
  if (saysNothingNew(before, after)) return [NOTHING_CHANGED];
  return await findDroppedDictionaries(tx, before, after);
}

type Said = Pick<RevisionRow, "checksum" | "section" | "disclosure">;

/** Whether a revision has the payload and files, section and disclosure of the one before, and no signature. */
export function saysNothingNew(before: Said, after: Said & Pick<RevisionRow, "signature">): boolean {
  const saidBy = ({ checksum, section, disclosure }: Said) => [checksum, section, disclosure];
  return after.signature === null && isDeepStrictEqual(saidBy(before), saidBy(after));
}

/** The files of a revision that have no dictionary, where they or those that they replace had one, as warnings of its save. */
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
    if (!isDropped) return [];
    const name = quoteName(from.label);
    const which = from.asset_id === to.asset_id ? "It is" : "It takes the place of";
    return [
      {
        code: "dictionary_dropped",
        field: `payload.attachments.${files.indexOf(to)}`,
        message: `${which} the file ${name}, which had a dictionary, and has none. Send the dictionary with it, or swap the file with changes.files, which keeps it.`,
      },
    ];
  });
}

/** The answer to a save that asks for newer data, moves nothing and says what the revision before says: none is made. */
export async function leaveAsItIs(
  tx: Tx,
  deps: Deps,
  agent: AgentRow,
  creation: CreationRow,
  beside: object | null,
): Promise<Written> {
  const written = await toWritten(tx, deps, agent, { before: creation, after: creation }, "creation.rebind");
  return { ...written, raisedBy: 0, beside: { ...beside, rebound: [] }, warnings: [NOTHING_SAVED] };
}
