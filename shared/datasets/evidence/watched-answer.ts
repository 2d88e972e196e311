import type { Db, Tx } from "../../../sql/connection/pool.ts";
import type { StandingAnswer } from "../../../sql/datasets/standing-questions.ts";
import {
  findRowHashes,
  holdWatched,
  updateWatchedAnswer,
  type WatchedAnswer,
  type WatchedRow,
} from "../../../sql/datasets/watched-questions.ts";
import type { OutboxEntry } from "../../../sql/trust/event-outbox.ts";
import { addressesOf } from "../../ground/addresses.ts";
import { RawJson } from "../../ground/raw-json.ts";
import { toIso } from "../../ground/times.ts";
import { HASH_BYTES } from "../../tables/questions/digest-answer.ts";
import { countInOne, type Judged, SAME_ROWS } from "./judge-answer.ts";

/** The id of a watched question, and the hash of its last answer. */
export interface LastAnswer {
  id: number;
  sha256: string;
}

/** What an answer says of a watched question: whether it is another one, and how many rows are in one of the two only. */
export async function judgeWatched(
  db: Db,
  last: LastAnswer | undefined,
  answer: WatchedAnswer,
): Promise<Judged> {
  if (last === undefined || last.sha256 === answer.sha256) return SAME_ROWS;
  const before = listHashes((await findRowHashes(db, last.id)) ?? "");
  const rowsChanged = countInOne(before, listHashes(Buffer.from(answer.rowHashes).toString("hex")));
  return { ...SAME_ROWS, rowsChanged, watched: answer };
}

const EACH_HASH = new RegExp(`.{${2 * HASH_BYTES}}`, "g");

function listHashes(hex: string): readonly string[] {
  return hex.match(EACH_HASH) ?? [];
}

/** Keeps the answers to watched questions, and returns what is told of those that are others, or have another state. */
export async function keepWatched(
  tx: Tx,
  siteUrl: string,
  answers: ReadonlyMap<number, StandingAnswer>,
): Promise<OutboxEntry[]> {
  const entries: OutboxEntry[] = [];
  for (const before of await holdWatched(tx, [...answers.keys()])) {
    const { state, watched, rowsChanged, source } = answers.get(before.id) as StandingAnswer;
    const sha = watched?.sha256 ?? before.answer_sha256;
    if (watched !== undefined) await updateWatchedAnswer(tx, before.id, watched);
    if (state === before.state && sha === before.answer_sha256) continue;
    const row = {
      ...{ ...before, state: state as WatchedRow["state"], answer_sha256: sha },
      ...{ revision_number: source?.revision_number ?? null, live_asset_id: source?.asset_id ?? null },
    };
    const told = sayAnswer(siteUrl, row);
    entries.push({
      kind: "own",
      type: "question.answered",
      by: "service",
      agentId: before.agent_id,
      creationId: before.creation_id,
      ...{ liveBefore: null, liveAfter: null, namesBefore: null, namesAfter: null },
      facts: {
        author_id: before.author_id,
        name: before.name,
        ...told,
        rows_changed: rowsChanged,
      },
    });
  }
  return entries;
}

/** What is told of an answer, null where there is none now. */
function sayAnswer(siteUrl: string, row: WatchedRow) {
  const { state, live_asset_id: assetId } = row;
  if (state !== "holds" || assetId === null)
    return { state, revision_number: null, answer_sha256: null, query_url: null };
  return {
    state: "answered" as const,
    revision_number: row.revision_number,
    answer_sha256: row.answer_sha256,
    query_url: addressesOf(siteUrl).query(assetId, row.question),
  };
}

/** A watched question as its agent reads it; where it was just asked with its first rows. */
export function presentWatched(siteUrl: string, row: WatchedRow, answer?: RawJson) {
  const { revision_number, state, answer_sha256, query_url } = sayAnswer(siteUrl, row);
  return {
    name: row.name,
    creation_id: row.creation_id,
    label: row.label,
    question: new RawJson(row.question),
    revision_number,
    state,
    ...(answer && { answer }),
    answer_sha256,
    rows_total: state === "answered" ? row.rows_total : null,
    query_url,
    created_at: toIso(row.created_at),
  };
}
