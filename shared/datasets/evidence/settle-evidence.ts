import type { Tx } from "../../../sql/connection/pool.ts";
import type { NewChart, NewFigure } from "../../../sql/datasets/kept-answers.ts";
import {
  holdWorksWith,
  listStandingOf,
  listUnpublishedFiles,
  updateStanding,
} from "../../../sql/datasets/standing-questions.ts";
import type { Deps } from "../../platform/deps.ts";
import type { NamedJob } from "../../platform/jobs/queue.ts";
import type { Threads } from "../../platform/threads/open.ts";
import type { Figure } from "../../requests/figures.ts";
import { findChartBlocks } from "../drawings/charts.ts";
import { askNewest, findKnown, type NewestAnswer, type Standing } from "./ask-newest.ts";
import { toStanding } from "./ask-standing.ts";
import { isSameNewest } from "./find-newest.ts";

/** What the newest data say of a text that is being saved or published. */
export type Evidence = ReadonlyMap<Standing, NewestAnswer>;

/** A text with what it keeps of its data. */
export interface BoundText {
  text: string | null;
  figures: readonly Figure[];
  bound: { charts: readonly NewChart[]; figures: readonly NewFigure[] };
}

/** How long a text that goes live waits for all its questions together. */
const MOST_MS = 2_000;

/** Asks the newest data what a text has of them, in its agent's turn. */
export async function askEvidence(
  deps: Deps,
  threads: Threads,
  agentId: string,
  { text, figures, bound }: BoundText,
): Promise<Evidence> {
  const findBlocks = () => findChartBlocks(deps, text ?? "");
  const asked = [
    ...bound.figures.map((kept): Standing => {
      const form = figures[kept.position];
      const figure = form === undefined ? null : { form, value: kept.value };
      return {
        kind: "figure",
        place: kept.position,
        ...kept,
        figure,
        rowCount: null,
        loadBlock: async () => null,
      };
    }),
    ...bound.charts.map((kept): Standing => {
      const loadBlock = async () => {
        const block = (await findBlocks()).find(({ number }) => number === kept.number);
        return block === undefined ? null : { source: block.source, rows: kept.rows };
      };
      return { kind: "chart", place: kept.number, ...kept, figure: null, loadBlock };
    }),
  ];
  return await askNewest(deps, threads, asked, { key: agentId, mostMs: MOST_MS });
}

/** The same before a publication: of files of the agent's own that no published work has had nothing has closed yet. */
export async function leaveUnpublishedOpen(deps: Deps, agentId: string, found: Evidence): Promise<Evidence> {
  const closed = [...found].flatMap(([{ assetId }, { newest }]) => (newest === undefined ? [assetId] : []));
  if (closed.length === 0) return found;
  const own = await listUnpublishedFiles(deps.pool, agentId, closed);
  const open = Array.from(found, ([one, answer]): [Standing, NewestAnswer] => {
    const isOpen = answer.newest === undefined && own.includes(one.assetId);
    return [one, isOpen ? { newest: undefined, answer: { ...answer.answer, state: "not_asked" } } : answer];
  });
  return new Map(open);
}

/**
 * Keeps what the newest data say of a text that just went live: what was asked before, where those are the newest still.
 * Returns the jobs that ask the rest.
 */
export async function settleEvidence(
  tx: Tx,
  deps: Deps,
  creationId: string,
  before: Evidence,
): Promise<NamedJob[]> {
  const rows = toStanding(deps, await listStandingOf(tx, creationId));
  if (rows.length === 0) return [];
  await holdWorksWith(
    tx,
    rows.map(({ assetId }) => assetId),
  );
  const asked = new Map([...before].map(([one, found]) => [nameOf(one), found]));
  const known = Array.from(await findKnown(deps, tx, rows), ([one, found]) => {
    const earlier = found.answer.state === "not_asked" ? asked.get(nameOf(one)) : undefined;
    return [one, earlier && isSameNewest(earlier.newest, found.newest) ? earlier : found] as const;
  });
  await updateStanding(
    tx,
    known.map(([{ row }, { answer }]) => [row.id, answer] as const),
  );
  const unasked = known.flatMap(([, { newest, answer }]) =>
    answer.state === "not_asked" && newest ? [newest.source.source_id] : [],
  );
  return [...new Set(unasked)].map((creation_id) => ({ name: "ask-standing", payload: { creation_id } }));
}

function nameOf({ kind, place, assetId, question }: Standing): string {
  return `${kind} ${place} ${assetId} ${question}`;
}
