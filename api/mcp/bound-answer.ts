import { keepDigits, RawJson, stringifyJson } from "../../shared/ground/raw-json.ts";
import { clipText } from "../../shared/ground/text.ts";
import { isRecord } from "../../shared/requests/read-body.ts";
import { toPosition } from "../../shared/trust/events/present-event.ts";
import { toCursor } from "../../shared/trust/events/read-events.ts";
import { type Bounds, pickParts } from "./bounds.ts";

type Members = Record<string, unknown>;

/** The JSON of an answer, the parts that are asked for, as far as its bytes reach; what is left out is said in it. */
export function boundAnswer(body: string, bounds: Bounds): string {
  const { mostBytes, parts, fromLine } = bounds;
  const isWhole = parts === null && fromLine === null;
  if (isWhole && Buffer.byteLength(body) <= mostBytes) return body;
  // Of an answer that is cut members called 7 come first; of any other all stands as it is written.
  const whole = JSON.parse(body, keepDigits) as Members;
  const answer = parts === null ? whole : pickParts(whole, parts);
  const text = swapText(answer, "") ?? "";
  const room = mostBytes - NOTES_BYTES;
  const rest = fitInto(answer, room - Math.min(sizeOf(text), room / 2), bounds);
  const isTextAsked = parts?.includes("text") === true || fromLine !== null;
  const isCut = isTextAsked || sizeOf(text) + sizeOf(rest) > room;
  const lines = isCut ? takeLines(text, fromLine ?? 1, room - sizeOf(rest)) : { text, told: {} };
  const hasText = swapText(rest, lines.text) !== null;
  const told = fromLine === null ? {} : { note: "It has no text, so from_line says nothing." };
  return stringifyJson({ ...rest, ...(hasText ? lines.told : told) });
}

/** What one note takes, and what all that is said beside a cut answer takes. */
const NOTE_BYTES = 100;
const NOTES_BYTES = 400;

const sizeOf = (value: unknown): number => Buffer.byteLength(stringifyJson(value));

/** Puts another text of a work into an answer and gives the one that stood there; null where it has none. */
function swapText({ data }: Members, text: string): string | null {
  const revision = isRecord(data) && isRecord(data.latest_revision) ? data.latest_revision : data;
  const holder = isRecord(revision) && isRecord(revision.payload) ? revision.payload : revision;
  if (!isRecord(holder) || typeof holder.body_markdown !== "string") return null;
  const before = holder.body_markdown;
  holder.body_markdown = text;
  return before;
}

/** The lines of a text that come from a number on and fit, one at least, and what an answer says of them. */
function takeLines(text: string, from: number, room: number): { text: string; told: Members } {
  const lines = text.split("\n");
  const asked = lines.slice(from - 1);
  const count = countFitting(asked, room);
  const [line = ""] = asked;
  const bytes = sizeOf(line);
  const isCut = count === 1 && bytes > room;
  const told = {
    ...{ from_line: from, lines: lines.length },
    next_from: from + count <= lines.length ? from + count : null,
    ...(isCut && { cut: [{ row: from, column: "body_markdown", bytes }] }),
  };
  return { text: isCut ? clipTo(line, room) : asked.slice(0, count).join("\n"), told };
}

/** How many of these, one at least, fit into so many bytes of JSON. */
function countFitting(items: readonly unknown[], room: number): number {
  let left = room;
  const end = items.findIndex((item) => {
    left -= sizeOf(item) + 1;
    return left < 0;
  });
  return end === -1 ? items.length : Math.max(end, 1);
}

/** An answer without its text that takes so many bytes at most. */
function fitInto(answer: Members, room: number, bounds: Bounds): Members {
  if (sizeOf(answer) <= room) return answer;
  const { data, meta, warnings } = answer;
  if (Array.isArray(warnings)) {
    answer.warnings = [];
    answer.warnings = warnings.slice(0, countFitting(warnings, room - sizeOf(answer)));
  }
  if (isRecord(data) && Array.isArray(data.rows)) cutRows(answer, data, room, bounds);
  else if (Array.isArray(data) && isRecord(meta) && bounds.hasPages) cutItems(answer, data, meta, room);
  if (sizeOf(answer) <= room) return answer;
  const step = findStep(answer, room);
  if (step === null) return keepSummary(answer, bounds);
  const [characters, items] = step;
  const note = `Cut to max_bytes: texts end after ${characters} characters, lists after ${items} items.`;
  const told = answer.note === undefined ? note : `${answer.note} ${note}`;
  return { ...(shorten(answer, step) as Members), note: told };
}

/** What an answer is called where even its short texts and lists take too many bytes. */
function keepSummary(answer: Members, { hasParts, mostBytes }: Bounds): Members {
  const summary = pickParts(answer, ["summary"]);
  const step = findStep(summary, mostBytes - NOTES_BYTES);
  const note = `The answer is larger than max_bytes, whatever of it is cut. Ask for more bytes${hasParts ? " or for a part" : ""}.`;
  return { ...(step !== null && (shorten(summary, step) as Members)), note };
}

function findStep(answer: Members, room: number): Step | null {
  return SHORTER.find((step) => sizeOf(shorten(answer, step)) <= room) ?? null;
}

type Step = readonly [characters: number, items: number];

/** The characters of a text and the items of a list, for what has nothing better to leave out. */
const SHORTER: readonly Step[] = [
  [4_000, 1_000],
  [1_000, 200],
  [400, 50],
  [200, 20],
  [100, 10],
  [60, 5],
  [40, 2],
  [20, 1],
];
/** More members than any of our own objects has. */
const MOST_MEMBERS = 60;

function shorten(value: unknown, most: Step): unknown {
  const [characters, items] = most;
  if (typeof value === "string") return clipText(value, characters);
  if (value instanceof RawJson)
    return value.text.length <= characters ? value : clipText(value.text, characters);
  if (Array.isArray(value)) return value.slice(0, items).map((item) => shorten(item, most));
  if (!isRecord(value)) return value;
  const members = Object.entries(value).slice(0, Math.max(items, MOST_MEMBERS));
  return Object.fromEntries(members.map(([name, member]) => [name, shorten(member, most)]));
}

/** Leaves out the last rows of a page, and cuts the cells of one that does not fit by itself. */
function cutRows(answer: Members, data: Members, room: number, bounds: Bounds): void {
  const rows = data.rows as unknown[];
  // A question may stand in an address, with its own offset.
  const offset = isRecord(data.question) ? Number(data.question.offset ?? 0) : bounds.offset;
  const left = room - sizeOf({ ...answer, data: { ...data, rows: [] } }) - NOTE_BYTES;
  const count = countFitting(rows, left);
  data.rows = rows.slice(0, count);
  if (count < rows.length) {
    const note = "The rows end at max_bytes. Go on with next_offset.";
    Object.assign(data, { returned: count, next_offset: offset + count, note });
  }
  const [row] = rows;
  if (count > 1 || sizeOf(row) <= left || !Array.isArray(row)) return;
  const columns = (data.columns ?? []) as unknown[];
  for (const characters of CELL_CHARACTERS) {
    const cells = row.map((cell) => clipCell(cell, characters));
    const cut = cells.flatMap((cell, at) =>
      cell === row[at] ? [] : [{ row: offset, column: columns[at] ?? at, bytes: sizeOf(row[at]) }],
    );
    Object.assign(data, { rows: [cells] }, cut.length > 0 && { cut });
    if (sizeOf(answer) <= room) return;
  }
}

const CELL_CHARACTERS = [100_000, 50_000, 20_000, 8_000, 4_000, 2_000, 1_000, 500, 200, 100, 40, 10];

/** A cell up to so many characters; of a nested one its JSON. */
function clipCell(cell: unknown, characters: number): unknown {
  const text = typeof cell === "string" ? cell : stringifyJson(cell);
  const clipped = clipText(text, characters);
  return clipped === text ? cell : clipped;
}

/** A text whose JSON takes so many bytes at most. */
function clipTo(text: string, room: number): string {
  const characters = CELL_CHARACTERS.find((most) => sizeOf(clipText(text, most)) <= room);
  return clipText(text, characters ?? 10);
}

/** Leaves out the last items of a page of a list, so that another page goes on where it ends. */
function cutItems(answer: Members, data: unknown[], meta: Members, room: number): void {
  const count = countFitting(data, room - sizeOf({ ...answer, data: [] }) - NOTE_BYTES);
  const perPage = Number(meta.per_page);
  // Pages of this size begin behind the last item that is here.
  const size = Number.isNaN(perPage) ? count : findDivisor(perPage, count);
  answer.data = data.slice(0, size);
  if (size >= data.length) return;
  // They lead past what is left out here.
  delete answer.links;
  if (Number.isNaN(perPage)) {
    const { id } = data[size - 1] as { id: string };
    Object.assign(meta, { cursor: toCursor(toPosition(id)), has_more: true });
    answer.note = "The list ends at max_bytes. Go on with after, the cursor in meta.";
  } else {
    const page = ((Number(meta.current_page) - 1) * perPage) / size + 1;
    const last_page = Math.ceil(Number(meta.total) / size);
    Object.assign(meta, { current_page: page, last_page, per_page: size, to: page * size });
    answer.note = `The list ends at max_bytes. Go on with per_page ${size} and page ${page + 1}.`;
  }
}

function findDivisor(number: number, most: number): number {
  let divisor = Math.min(number, most);
  while (number % divisor !== 0) divisor--;
  return divisor;
}
