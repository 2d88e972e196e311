import type { StandingFileRow } from "../../../sql/datasets/standing-questions.ts";
import { NO_FILE_LEFT } from "../../datasets/evidence/find-newest.ts";
import { judgeFigure } from "../../datasets/evidence/judge-answer.ts";
import { rewriteFigures } from "../../datasets/evidence/rewrite-figures.ts";
import { bindChart, type ChartQuestion } from "../../datasets/questions/bind-charts.ts";
import { type FigureQuestion, sayFault } from "../../datasets/questions/bind-figures.ts";
import { askForSave, NO_ANSWER, type SaveAnswer } from "../../datasets/questions/questions-of-save.ts";
import { nameLines } from "../../ground/occurrences.ts";
import { joinWords } from "../../ground/text.ts";
import type { Deps } from "../../platform/deps.ts";
import type { Threads } from "../../platform/threads/open.ts";
import type { Figure } from "../../requests/figures.ts";
import type { Payload } from "../../requests/payloads.ts";
import type { Rebinding } from "../../requests/rebinding.ts";
import { moveSource } from "../../text/markdown/charts/move-source.ts";
import { listOccurrences } from "../../text/numbers/count-numbers.ts";
import { bodyOf, figuresOf, referencesOf } from "./links.ts";

/** The open work that something of a text is from: the revision that the text names, and the live one. */
interface Work {
  id: string;
  from: number;
  to: number;
  /** Whether the agent holds its address: the newest file of another unlisted work is not told. */
  isTold: boolean;
}

/** A figure or chart that names a file, or a reference that names a revision. */
export type Use = {
  /** Its number among its kind. */
  n: number;
  /** As refusals call it. */
  name: string;
  /** Null where no open work answers for it. */
  work: Work | null;
  /** The live file in place of the named one. */
  file: StandingFileRow | null;
} & (
  | { kind: "figure"; asked: FigureQuestion }
  | { kind: "chart"; asked: ChartQuestion }
  | { kind: "pin"; position: number }
);

/** What was moved, as answers tell it; a member is null where there is nothing. */
export interface Rebound {
  kind: Use["kind"];
  n: number;
  from_revision: number;
  to_revision: number;
  old: string | null;
  new: string | null;
  line: number | null;
}

/** A use that moves, with the text that the newest data give to a figure. */
interface Move {
  use: Use;
  text: string | null;
}

/** Of what a text uses, what does not name the live file or revision, as the newest data bear it out; notes what they do not. */
export async function judgeMoves(
  deps: Deps,
  threads: Threads,
  agentId: string,
  { chosen, figures }: { chosen: readonly Use[]; figures: Rebinding["figures"] },
  faults: string[],
): Promise<Move[]> {
  // A dictionary that changed since may give a figure of the same file another value.
  const behind = chosen.filter((use) => isBehind(use) || use.kind === "figure");
  const questions = behind.flatMap((use) => {
    if (use.kind === "pin" || use.file === null) return [];
    const { asset_id: assetId, content_sha256: contentSha256 } = use.file;
    return [{ ...use.asked, assetId, contentSha256, use: use as Use }];
  });
  const answers = await askForSave(deps, threads, agentId, questions);
  const answerOf = new Map(questions.map((asked) => [asked.use, answers.get(asked) ?? NO_ANSWER]));
  return behind.flatMap((use): Move[] => {
    const answer = answerOf.get(use);
    if (use.kind === "pin") return [{ use, text: null }];
    if (answer === undefined) {
      faults.push(`${use.name}: ${NO_FILE_LEFT}`);
      return [];
    }
    if (use.kind === "chart") {
      const bound = bindChart(use.asked, answer);
      if (Array.isArray(bound)) faults.push(...bound);
      return Array.isArray(bound) ? [] : [{ use, text: null }];
    }
    const { text, reasons } = judgeText(use.asked, answer, figures);
    faults.push(...reasons.map((reason) => `${use.name}: ${reason}`));
    const isMoved = isBehind(use) || text !== use.asked.figure.text;
    return text === null || !isMoved ? [] : [{ use, text }];
  });
}

/** Whether something names another file or revision than the live one. */
export function isBehind(use: Use): boolean {
  return use.kind === "pin" ? use.work?.from !== use.work?.to : use.asked.assetId !== use.file?.asset_id;
}

/** The text that an answer gives to a figure, or why it gives none. */
function judgeText(
  { figure, question }: FigureQuestion,
  { found, faults }: SaveAnswer,
  way: Rebinding["figures"],
): { text: string | null; reasons: string[] } {
  if (found === null) return { text: null, reasons: faults.map(sayFault) };
  const { state, value, reason } = judgeFigure(figure, { ...question, ...found.blanks }, found);
  if (state === "holds") return { text: figure.text, reasons: [] };
  if (state === "differs" && way === "update") return { text: value, reasons: [] };
  return { text: null, reasons: [reason ?? `the newest data say ${value}.`] };
}

/** The payload after these moves; notes what cannot be rewritten. */
export async function movePayload(
  deps: Deps,
  payload: Payload,
  moves: readonly Move[],
  faults: string[],
): Promise<Payload> {
  const before = figuresOf(payload);
  const figures = moveFigures(before, moves);
  const texts = before.map(({ text: old }, at) => ({ old, new: figures[at]?.text ?? old }));
  faults.push(...findConflicts(texts));
  const charted = moveCharts(bodyOf(payload) ?? "", moves, faults);
  const { markdown, missed } = await rewriteFigures(deps, charted, texts);
  for (const [index, ofText] of Map.groupBy(missed, (one) => one.index)) {
    const { old = "", new: said = "" } = texts[index] ?? {};
    const lines = nameLines([...new Set(ofText.map(({ line }) => line))]);
    faults.push(
      `Figure ${index + 1}, "${old}": marks, entities or code keep ${said} out of ${lines}. Change it there by replace.`,
    );
  }
  return {
    ...payload,
    ...("body_markdown" in payload && { body_markdown: markdown }),
    ...("figures" in payload && { figures }),
    ...("references" in payload && { references: movePins(referencesOf(payload), moves) }),
  } as Payload;
}

function moveFigures(figures: readonly Figure[], moves: readonly Move[]): readonly Figure[] {
  const moved = [...figures];
  for (const { use, text } of moves) {
    const figure = use.kind === "figure" ? figures[use.asked.position] : undefined;
    if (use.kind !== "figure" || figure === undefined || text === null || use.file === null) continue;
    const { asset_id, content_sha256 } = use.file;
    moved[use.asked.position] = { ...figure, text, from: { ...figure.from, asset_id, content_sha256 } };
  }
  return moved;
}

function moveCharts(text: string, moves: readonly Move[], faults: string[]): string {
  let moved = text;
  for (const { use } of moves) {
    if (use.kind !== "chart" || use.file === null) continue;
    const next = moveSource(moved, use.asked.block, use.file);
    if (next === null)
      faults.push(`${use.name}: data.from names its file with escapes. Change it by replace.`);
    moved = next ?? moved;
  }
  return moved;
}

function movePins(references: ReturnType<typeof referencesOf>, moves: readonly Move[]) {
  return references.map((reference, at) => {
    const work = moves.find(({ use }) => use.kind === "pin" && use.position === at)?.use.work;
    return work ? { ...reference, revision_number: work.to } : reference;
  });
}

/** Figures of one text that the newest data give several. */
function findConflicts(texts: readonly { old: string; new: string }[]): string[] {
  const byText = Map.groupBy(texts.entries(), ([, { old }]) => old);
  return Array.from(byText).flatMap(([old, same]) => {
    const said = [...new Set(same.map(([, text]) => text.new))];
    if (said.length === 1) return [];
    const numbers = joinWords(same.map(([at]) => at + 1));
    return [`Figures ${numbers} have one text, "${old}", and the newest data say ${joinWords(said)}.`];
  });
}

/** What was moved, with the lines of the text as it is then. */
export async function listRebound(deps: Deps, payload: Payload, moves: readonly Move[]): Promise<Rebound[]> {
  const read = await deps.texts.read(bodyOf(payload) ?? "");
  const texts = figuresOf(payload).map(({ text }) => text);
  const seen = listOccurrences(read, texts);
  const lineOf = (use: Use, text: string | null) => {
    if (use.kind === "chart")
      return read.blocks.find(({ kind, number }) => kind === "Chart" && number === use.n);
    return seen.find(({ index }) => texts[index] === text);
  };
  return moves.flatMap(({ use, text }) => {
    const { kind, n, work } = use;
    if (work === null) return [];
    const old = use.kind === "figure" ? use.asked.figure.text : null;
    const line = lineOf(use, text)?.line ?? null;
    return [{ kind, n, from_revision: work.from, to_revision: work.to, old, new: text, line }];
  });
}
