import type { NewFigure } from "../../../sql/datasets/kept-answers.ts";
import type { FieldErrors } from "../../ground/errors.ts";
import type { Deps } from "../../platform/deps.ts";
import { type Figure, readFigureQuestion } from "../../requests/figures.ts";
import { isNumberText } from "../../tables/inspection/column-types.ts";
import { type AnswerJson, countWanted } from "../../tables/questions/digest-answer.ts";
import { MOST_VALUE_CHARACTERS, saysFigure, writeFigure, writeValue } from "../../tables/questions/exact.ts";
import { isGrouped, type Question } from "../../tables/questions/question.ts";
import { keepNumberText } from "../../tables/questions/raw-question.ts";
import { writeCanonical } from "../../tables/questions/write-question.ts";
import { listBlanks } from "../../tables/rows/conditions.ts";
import {
  type FoundAnswer,
  findKept,
  type KeptBefore,
  NO_FILE,
  type SaveAnswer,
  type SaveQuestion,
  type SourceFault,
} from "./questions-of-save.ts";

/** What a figure of a payload asks. */
export interface FigureQuestion extends SaveQuestion {
  figure: Figure;
  position: number;
  /** The question as it was sent: no more rows are asked for than tell whether there is one. */
  whole: Question;
  /** Whether nothing of the figure was refused: only then its text is compared. */
  isProved: boolean;
}

/** One more row than a figure may have. */
export const ROWS_OF_FIGURE = 2;

/** What the figures of a payload ask of files; `lost` is what of them was refused. */
export function listFigureQuestions(figures: readonly Figure[], lost: ReadonlySet<string>): FigureQuestion[] {
  return figures.map((figure, position) => {
    const { asset_id: assetId, content_sha256: contentSha256 = null, ...asked } = figure.from;
    const { question: whole, errors: found } = readFigureQuestion(asked);
    const question = { ...whole, limit: Math.min(whole.limit, ROWS_OF_FIGURE) };
    const path = `figures.${position}.`;
    const refused = [...lost].filter((one) => one.startsWith(path) && one !== `${path}from.content_sha256`);
    const ofQuestion = refused.filter((one) => one.startsWith(`${path}from.`)).map((one) => [one, []]);
    const errors = { ...Object.fromEntries(ofQuestion), ...found };
    const isProved = refused.length === 0;
    return { assetId, contentSha256, question, errors, isProved, figure, position, whole };
  });
}

/** Notes each figure whose text does not stand in the body, as it is written there or as readers see it. */
export async function findStrayFigures(
  deps: Deps,
  figures: readonly Figure[],
  body: string,
  errors: FieldErrors,
): Promise<void> {
  // A figure whose text was refused has none.
  const stray = figures.flatMap(({ text }: Partial<Figure>, position) =>
    text === undefined || body.includes(text) ? [] : [{ text, position }],
  );
  if (stray.length === 0) return;
  const { plain } = await deps.texts.read(body);
  for (const { text, position } of stray) {
    if (plain.includes(text)) continue;
    errors[`payload.figures.${position}.text`] = [
      "This text does not stand in body_markdown. Write it there in the same characters.",
    ];
  }
}

/** A figure with the value that its question found; null where it is refused, which `errors` says. */
export function bindFigure(
  asked: FigureQuestion,
  answer: SaveAnswer,
  nowMs: number,
  errors: FieldErrors,
): NewFigure | null {
  const path = `payload.figures.${asked.position}`;
  const add = (member: string, sentence: string) =>
    addFault(errors, member === "" ? `${path}.from` : `${path}.from.${member}`, sentence);
  for (const fault of answer.faults) add(fault.member, sayFault(fault));
  const columns = answer.columns?.length ?? 1;
  if (columns !== 1)
    add("", `The question finds ${columns} columns; a figure needs one row with one column.`);
  if (answer.found === null) return null;
  const { blanks } = answer.found;
  const found = readValue(answer.found.json, { ...asked, question: { ...asked.question, ...blanks } });
  if (found.fault !== undefined) {
    add("", found.fault);
    return null;
  }
  const { position, assetId, whole } = asked;
  const file = {
    assetId,
    contentSha256: answer.found.file.read_sha256,
    question: writeCanonical({ ...whole, ...blanks }),
  };
  return prove(asked, { position, ...file, value: found.value, checkedMs: nowMs, source: null }, errors);
}

/** The sentence on a figure's file or question. */
export function sayFault({ member, kind, words }: SourceFault): string {
  return kind === "file" ? `The ${member} ${words}` : words;
}

/** A kept figure as its file answers now; null where the answer is no number. */
export function figureAgain(
  kept: NewFigure,
  { json, blanks }: FoundAnswer,
  question: Question,
  nowMs: number,
): NewFigure | null {
  const whole = { ...question, ...blanks };
  const { value } = readValue(json, { question: whole, whole });
  return value === undefined ? null : { ...kept, question: writeCanonical(whole), value, checkedMs: nowMs };
}

/** A figure of a file that is closed now, with the value that the revision before keeps for this question; else null. */
export function findKeptFigure(asked: FigureQuestion, { figures }: KeptBefore): NewFigure | null {
  const { position, assetId, contentSha256, whole } = asked;
  const kept = findKept(figures, { assetId, contentSha256, question: whole });
  return kept && { ...kept, position };
}

/** The figure where its text says the value; null where it does not, which `errors` says. */
export function prove(
  { figure, position, isProved }: FigureQuestion,
  found: NewFigure,
  errors: FieldErrors,
): NewFigure | null {
  if (!isProved) return null;
  const said = writeFigure(found.value, figure);
  if (saysFigure(figure.text, said)) return found;
  // What looks like the value, but is no character of it, needs a word more.
  const plain = figure.text.replace(/\s/gu, " ").replace("−", "-");
  const how = saysFigure(plain, said) ? ", with U+0020 as blank and U+002D as minus" : "";
  addFault(errors, `payload.figures.${position}.text`, `The data say ${said}${how}.`);
  return null;
}

/** Notes a figure whose file closed during the save. */
export function refuseClosedFigure({ position }: NewFigure, errors: FieldErrors): void {
  addFault(errors, `payload.figures.${position}.from.asset_id`, `The asset_id ${NO_FILE.words}`);
}

function addFault(errors: FieldErrors, field: string, sentence: string): void {
  errors[field] = [...(errors[field] ?? []), sentence];
}

/** The value that a question found, or why it found none. */
export function readValue(json: Uint8Array, { question, whole }: Pick<FigureQuestion, "question" | "whole">) {
  // Numbers as they are written: a double would lose digits of exact sums.
  const answer = JSON.parse(Buffer.from(json).toString(), keepNumberText) as AnswerJson;
  const { columns, rows } = answer;
  const rowCount = countWanted(answer, question, whole.limit);
  if (rowCount !== 1 || columns.length !== 1) {
    const found = `${count(rowCount, "row")} with ${count(columns.length, "column")}`;
    return { fault: `The question finds ${found}; a figure needs one row with one column.` };
  }
  const cell = rows[0]?.[0] ?? null;
  const isMissing = !isGrouped(question) && listBlanks(question, columns[0] ?? "").includes(cell as string);
  if (cell === null || cell === "" || isMissing)
    return { fault: "The question finds a blank cell; a figure needs a number." };
  if (typeof cell !== "string" || !isNumberText(cell))
    return { fault: "The question finds a cell that is no number; a figure needs one." };
  const [only] = question.aggregates;
  const value = writeValue(cell, only?.op === "min" || only?.op === "max");
  if (value !== null) return { value };
  return { fault: `The question finds a number of more than ${MOST_VALUE_CHARACTERS} characters.` };
}

function count(number: number, noun: string): string {
  return `${number === 0 ? "no" : number} ${noun}${number === 1 ? "" : "s"}`;
}
