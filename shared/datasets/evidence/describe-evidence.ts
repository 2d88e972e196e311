import { StandingState } from "../../../sql/datasets/standing-questions.ts";
import type { CreationType } from "../../ground/creation-types.ts";
import { presentMembers } from "../../ground/present-members.ts";
import { toIso } from "../../ground/times.ts";
import type { Deps } from "../../platform/deps.ts";
import type { Threads } from "../../platform/threads/open.ts";
import { countNumbers } from "../../text/numbers/count-numbers.ts";
import { askEvidence, type BoundText, type Evidence, leaveUnpublishedOpen } from "./settle-evidence.ts";

/** What the newest data say of one figure or chart. */
interface Told {
  state: StandingState;
  askedMs: number | null;
}

/** How much of a text the newest data bear out, with the numbers that no figure has. */
export async function countEvidence(
  deps: Deps,
  text: string | null,
  { figures, charts }: { figures: readonly (Told & { text: string })[]; charts: readonly Told[] },
) {
  const read = await deps.texts.read(text ?? "");
  const texts = figures.map((figure) => figure.text);
  const { numbers_in_text, numbers_checked, unchecked } = countNumbers(read, texts);
  const all: readonly Told[] = [...figures, ...charts];
  const count = (state: StandingState) => all.filter((one) => one.state === state).length;
  const asked = all.flatMap(({ askedMs }) => askedMs ?? []);
  const evidence = {
    figures: figures.length,
    charts_from_data: charts.length,
    ...(Object.fromEntries(StandingState.options.map((state) => [state, count(state)])) as Record<
      StandingState,
      number
    >),
    numbers_in_text,
    numbers_checked,
    as_of: asked.length === 0 ? null : toIso(Math.min(...asked)),
  };
  return { evidence, unchecked };
}

/** What the newest data say of a text, and what answers tell of that. */
export interface ToldEvidence {
  found: Evidence;
  /** Stands beside the data of the answer to a save or publication. */
  beside: Awaited<ReturnType<typeof describeFound>>["beside"] | null;
  unchecked: readonly { text: string; line: number }[];
}

/** What is told of a work that is neither story nor brief. */
export const NO_EVIDENCE: ToldEvidence = { found: new Map(), beside: null, unchecked: [] };

/** Asks the newest data what a text has of them, and puts it in the words of answers, to a save or to a publication. */
export async function reportEvidence(
  deps: Deps,
  threads: Threads,
  { agentId, type, isSave }: { agentId: string; type: CreationType; isSave: boolean },
  text: BoundText,
): Promise<ToldEvidence> {
  if (type !== "story" && type !== "brief") return NO_EVIDENCE;
  const asked = await askEvidence(deps, threads, agentId, text);
  const found = isSave ? await leaveUnpublishedOpen(deps, agentId, asked) : asked;
  return { found, ...(await describeFound(deps, text.text, found)) };
}

async function describeFound(deps: Deps, text: string | null, found: Evidence) {
  const told = Array.from(found, ([one, { answer }]) => ({ one, ...answer }));
  const figures = told.flatMap(({ one, ...answer }) =>
    one.figure === null ? [] : [{ n: one.place + 1, text: one.figure.form.text, ...answer }],
  );
  const charts = told.filter(({ one }) => one.kind === "chart");
  const { evidence, unchecked } = await countEvidence(deps, text, { figures, charts });
  const beside = {
    evidence,
    figures: figures.map((figure) => presentMembers(figure, "n", "text", "value", "state")),
    charts: charts.map(({ one, state }) => ({ number: one.place, rows: one.rowCount, state })),
  };
  return { beside, unchecked };
}
