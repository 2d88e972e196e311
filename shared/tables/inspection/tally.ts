/** In how many cells or rows something is so, with the first rows and columns of them, and the first cell as a text. */
export interface Tally {
  count: number;
  rows: number[];
  columns: number[];
  text: string;
}

const MOST = { rows: 3, columns: 10 };

/** None so far. */
export function startTally(text = ""): Tally {
  return { count: 0, rows: [], columns: [], text };
}

/** Counts a row, or a cell of it. */
export function note(tally: Tally, row: number, column?: number): void {
  tally.count++;
  addPlace(tally, row, column);
}

/** Adds the place of what is counted already. */
export function addPlace({ rows, columns }: Tally, row: number, column?: number): void {
  if (rows.length < MOST.rows && rows.at(-1) !== row) rows.push(row);
  if (column === undefined || columns.includes(column)) return;
  if (columns.length < MOST.columns) columns.push(column);
}
