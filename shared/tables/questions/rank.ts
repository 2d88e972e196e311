import { compareUnits } from "../../ground/text.ts";
import { compareCodePoints } from "../rows/conditions.ts";
import { compareDecimals } from "../rows/decimal.ts";
import { findPlace, numberOfValue } from "../statistics/value-counts.ts";
import { bufferOf, type CodedColumn, comparedAs, createTextReader, KIND } from "./coded-table.ts";

/** Cells to rank: codes of a column, or the cells of a column of the result. */
export interface Cells {
  size: number;
  kind(place: number): number;
  text(place: number): string;
  /** The double nearest to a number. */
  double(place: number): number;
}

/** The codes of a column as cells. */
export function cellsOf(column: CodedColumn): Cells {
  const { kinds, ends } = column;
  const texts = { bytes: bufferOf(column), ends };
  return {
    size: kinds.length,
    kind: (code) => comparedAs(column, code),
    text: createTextReader(column),
    double: (code) => numberOfValue(texts, code),
  };
}

/**
 * The rank of each cell from 1 in the order of a sort: numbers by value, texts by code point, false, true, then lists
 * and objects by their JSON text. Equal numbers share a rank; blank cells have 0.
 */
export function rankCells(cells: Cells): Uint32Array<ArrayBuffer> {
  const ranks = new Uint32Array(cells.size);
  let last = rankNumbers(cells, listPlaces(cells, KIND.number), ranks);
  for (const kind of [KIND.text, KIND.boolean, KIND.nested])
    last = rankTexts(cells, listPlaces(cells, kind), ranks, last);
  return ranks;
}

/** The places of one kind. Plain numbers throughout: a column may have a million different cells. */
function listPlaces(cells: Cells, kind: number): Uint32Array {
  let count = 0;
  for (let place = 0; place < cells.size; place++) if (cells.kind(place) === kind) count++;
  const places = new Uint32Array(count);
  for (let place = 0, at = 0; at < count; place++) if (cells.kind(place) === kind) places[at++] = place;
  return places;
}

/** Ranks numbers by their doubles, and those of one double by their digits. Gives the last rank. */
function rankNumbers(cells: Cells, places: Uint32Array, ranks: Uint32Array): number {
  // The engine sorts plain numbers ten times as fast as places by their numbers.
  const doubles = new Float64Array(places.length);
  for (let at = 0; at < places.length; at++) doubles[at] = cells.double(places[at] as number) + 0;
  const sorted = doubles.toSorted();
  const sameAs = new Map<number, number[]>();
  for (let at = 0; at < places.length; at++) {
    const place = places[at] as number;
    const first = findPlace(sorted, doubles[at] as number);
    ranks[place] = 1 + first;
    if (sorted[first + 1] !== sorted[first]) continue;
    const same = sameAs.get(first);
    if (same === undefined) sameAs.set(first, [place]);
    else same.push(place);
  }
  for (const [first, same] of sameAs) rankSameDouble(cells, same, ranks, 1 + first);
  return places.length;
}

/** Numbers of one double may be different decimals: 0.1 and 0.10000000000000000001. */
function rankSameDouble(cells: Cells, places: readonly number[], ranks: Uint32Array, first: number): void {
  const texts = places.map((place) => ({ place, text: cells.text(place) }));
  texts.sort((one, other) => compareDecimals(one.text, other.text));
  let rank = first;
  for (const [at, { place, text }] of texts.entries()) {
    const before = texts[at - 1];
    if (before !== undefined && compareDecimals(before.text, text) !== 0) rank = first + at;
    ranks[place] = rank;
  }
}

/** The first UTF-16 unit whose order may differ from that of code points. */
const ABOVE_ORDER = /[\ud800-\uffff]/;

function rankTexts(cells: Cells, places: Uint32Array, ranks: Uint32Array, last: number): number {
  const texts = Array.from(places, (place) => ({ place, text: cells.text(place) }));
  const isPlain = !texts.some(({ text }) => ABOVE_ORDER.test(text));
  // Each calls its own comparison, which the engine takes in.
  if (isPlain) texts.sort((one, other) => compareUnits(one.text, other.text));
  else texts.sort((one, other) => compareCodePoints(one.text, other.text));
  let rank = last;
  for (const [at, { place, text }] of texts.entries()) {
    if (texts[at - 1]?.text !== text) rank++;
    ranks[place] = rank;
  }
  return rank;
}

/** Sorts rows by the ranks of their cells, keeping the order of equal ones; blank cells come last both ways. */
export function sortByRank(
  rows: Uint32Array,
  rankOf: (row: number) => number,
  mostRank: number,
  isDescending: boolean,
): Uint32Array<ArrayBuffer> {
  const keyOf = (row: number): number => {
    const rank = rankOf(row);
    if (rank === 0) return mostRank;
    return isDescending ? mostRank - rank : rank - 1;
  };
  const keys = new Uint32Array(rows.length);
  const ends = new Uint32Array(mostRank + 2);
  for (let at = 0; at < rows.length; at++) {
    const key = keyOf(rows[at] as number);
    keys[at] = key;
    ends[key + 1] = (ends[key + 1] as number) + 1;
  }
  for (let key = 1; key < ends.length; key++) ends[key] = (ends[key] as number) + (ends[key - 1] as number);
  const sorted = new Uint32Array(rows.length);
  for (let at = 0; at < rows.length; at++) {
    const key = keys[at] as number;
    sorted[ends[key] as number] = rows[at] as number;
    ends[key] = (ends[key] as number) + 1;
  }
  return sorted;
}
