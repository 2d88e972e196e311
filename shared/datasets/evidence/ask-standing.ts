import { command, type Tx } from "../../../sql/connection/pool.ts";
import { listChartRows } from "../../../sql/datasets/kept-answers.ts";
import {
  holdWorksWith,
  listStandingAbout,
  listWorksToAsk,
  type StandingRow,
  updateStanding,
} from "../../../sql/datasets/standing-questions.ts";
import { insertIntoOutbox, type OutboxEntry } from "../../../sql/trust/event-outbox.ts";
import { findRevisionById } from "../../../sql/works/revisions.ts";
import type { Deps } from "../../platform/deps.ts";
import { orderWork } from "../../platform/pending-work/order-work.ts";
import { workOff } from "../../platform/pending-work/work-off.ts";
import type { Threads } from "../../platform/threads/open.ts";
import { textOf } from "../../requests/members.ts";
import { findChartBlocks } from "../drawings/charts.ts";
import { askNewest, findNewestOf, keyOf, type NewestAnswer, type Standing } from "./ask-newest.ts";
import { isSameNewest } from "./find-newest.ts";
import type { KeptBlock } from "./judge-answer.ts";
import { keepWatched } from "./watched-answer.ts";

/** Questions whose answers are written in one transaction. */
const QUESTIONS = 5_000;
/** Of watched ones, each of whose answers takes up to 80 KB. */
const WATCHED = 250;

/**
 * Asks again what live texts have from the files of a work, and what is watched of it, which changed, opened or closed:
 * triggers note it. Each question is asked once; whoever has another state then, or another answer, is told. Running it
 * twice or late changes nothing.
 */
export async function askStanding(deps: Deps, threads: Threads, workId: string): Promise<void> {
  await workOff(deps, "ask-standing", workId, async () => {
    for (let afterId = 0; ; ) {
      const found = await listStandingAbout(deps.pool, workId, afterId, QUESTIONS);
      const tooMuch = found.filter(({ kind }) => kind === "watch")[WATCHED];
      const rows = tooMuch === undefined ? found : found.slice(0, found.indexOf(tooMuch));
      const last = rows.at(-1);
      if (last === undefined) return;
      const answers = await askNewest(deps, threads, toStanding(deps, rows), { key: workId, mostMs: null });
      await deps.pool.transaction((tx) => keepAnswers(tx, deps, workId, [...answers]));
      afterId = last.id;
    }
  });
}

const WORKS = 100;

/** Orders that questions which nobody asked yet are asked, of a few works at a time; returns the count. */
export async function sweepStanding(deps: Deps): Promise<number> {
  const ids = await listWorksToAsk(deps.pool, WORKS);
  const jobs = ids.map((creation_id) => ({ name: "ask-standing" as const, payload: { creation_id } }));
  if (jobs.length > 0) await deps.pool.transaction((tx) => orderWork(tx, deps, jobs));
  return ids.length;
}

/** A standing question with its row. */
export interface StandingOfRow extends Standing {
  row: StandingRow;
}

/** Standing questions; what a chart is compared with is read where it is needed. */
export function toStanding(deps: Deps, rows: readonly StandingRow[]): StandingOfRow[] {
  const blocks = new Map<string, Promise<ReadonlyMap<number, KeptBlock>>>();
  return rows.map((row) => ({
    row,
    ...{ kind: row.kind, place: row.place, assetId: row.asset_id, question: row.question },
    contentSha256: row.content_sha256,
    rowCount: null,
    figure: row.figure === null ? null : { form: JSON.parse(row.figure), value: row.kept },
    ...(row.kind === "watch" && { watched: { id: row.id, sha256: row.kept } }),
    async loadBlock() {
      if (row.revision_id === null) return null;
      const loading = blocks.get(row.revision_id) ?? loadBlocks(deps, row.revision_id);
      blocks.set(row.revision_id, loading);
      return (await loading).get(row.place) ?? null;
    },
  }));
}

async function loadBlocks(deps: Deps, revisionId: string): Promise<ReadonlyMap<number, KeptBlock>> {
  const [revision, kept] = await Promise.all([
    findRevisionById(deps.pool, revisionId),
    listChartRows(deps.pool, revisionId),
  ]);
  const text = textOf(revision?.payload ?? {}, "body_markdown") ?? "";
  const sources = new Map((await findChartBlocks(deps, text)).map(({ number, source }) => [number, source]));
  return new Map(kept.map(({ number, rows }) => [number, { rows, source: sources.get(number) ?? "" }]));
}

/** Keeps answers, unless the newest data are others by now: those have an order of their own. */
async function keepAnswers(
  tx: Tx,
  deps: Deps,
  workId: string,
  answers: readonly (readonly [StandingOfRow, NewestAnswer])[],
): Promise<void> {
  const asked = answers.map(([one]) => one);
  await holdWorksWith(
    tx,
    asked.map(({ assetId }) => assetId),
    workId,
  );
  const now = await findNewestOf(tx, asked);
  const current = answers.filter(([one, { newest }]) => isSameNewest(newest, now.get(keyOf(one))));
  const kept = current.map(([{ row }, { answer }]) => [row.id, answer] as const);
  const watched = new Map(kept.filter((_, at) => current[at]?.[0].kind === "watch"));
  const told = await keepWatched(tx, deps.config.siteUrl, watched);
  await updateStanding(tx, kept);
  const entries = [...listChanges(workId, current), ...told];
  if (entries.length > 0) await tx.query(command`${insertIntoOutbox(entries, deps.now())}`);
}

/** Of each text of which something has another state, what is told of it; what was never asked counted as holding. */
function listChanges(
  workId: string,
  answers: readonly (readonly [StandingOfRow, NewestAnswer])[],
): OutboxEntry[] {
  const changed = answers.filter(([{ row, kind }, { answer }]) => {
    if (kind === "watch") return false;
    const before = row.state === "not_asked" ? "holds" : row.state;
    return before !== answer.state;
  });
  const byText = Map.groupBy(changed, ([{ row }]) => row.creation_id);
  return Array.from(byText, ([creationId, ofText]) => {
    const list = (kind: Standing["kind"], first: number) =>
      ofText.flatMap(([one, { answer }]) =>
        one.kind === kind ? [{ n: one.place + first, state: answer.state }] : [],
      );
    const source = ofText.find(([, { newest }]) => newest !== undefined)?.[1].newest?.source;
    return {
      kind: "own",
      type: "evidence.changed",
      by: "service",
      agentId: ofText[0]?.[0].row.agent_id ?? "",
      creationId,
      ...{ liveBefore: null, liveAfter: null, namesBefore: null, namesAfter: null },
      facts: {
        source_creation_id: workId,
        source_revision: source?.is_listed ? source.live_number : null,
        figures: list("figure", 1),
        charts: list("chart", 0),
      },
    };
  });
}
