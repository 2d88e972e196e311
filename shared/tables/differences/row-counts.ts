import { z } from "zod";

/** How many rows, cells and columns differ between two tables. */
export const RowCounts = z.strictObject({
  /** The columns that rows are paired by; null where rows are paired as wholes. */
  key: z.array(z.string()).nullable(),
  added: z.number(),
  removed: z.number(),
  changed: z.number(),
  cells: z.number(),
  columns_added: z.array(z.string()),
  columns_removed: z.array(z.string()),
  by_column: z.array(z.strictObject({ name: z.string(), changed: z.number() })),
});
export type RowCounts = z.infer<typeof RowCounts>;

/** The counts of two files with the same bytes, which are not compared and so have no key. */
export const NOTHING_CHANGED: RowCounts = {
  ...{ key: null, added: 0, removed: 0, changed: 0, cells: 0 },
  ...{ columns_added: [], columns_removed: [], by_column: [] },
};

/** The counts of the way back. */
export function mirrorCounts(counts: RowCounts): RowCounts {
  const { added, removed, columns_added, columns_removed } = counts;
  return {
    ...counts,
    ...{ added: removed, removed: added },
    ...{ columns_added: columns_removed, columns_removed: columns_added },
  };
}

/** A piece of a sentence: words of ours, or the name of a column. */
export type Piece = string | { name: string };

type Told = Omit<RowCounts, "key">;

/** What changed in a table, in words; empty where no row, cell or column differs. */
export function describeCounts(counts: Told): Piece[] {
  const { added, removed, cells, by_column, columns_added, columns_removed } = counts;
  const told = [
    ...(added === 0 ? [] : [[`${countNoun(added, "row")} added`]]),
    ...(removed === 0 ? [] : [[`${countNoun(removed, "row")} removed`]]),
    ...(cells === 0 ? [] : [describeCells(cells, by_column)]),
    ...describeColumns(columns_added, "added"),
    ...describeColumns(columns_removed, "removed"),
  ];
  return told.flatMap((pieces, at) => (at === 0 ? pieces : [", ", ...pieces]));
}

function describeCells(cells: number, columns: RowCounts["by_column"]): Piece[] {
  const [first] = columns;
  const counted = countNoun(cells, "cell");
  if (columns.length > 1) return [`${counted} of ${countNoun(columns.length, "column")} changed`];
  if (first === undefined || first.name.trim() === "") return [`${counted} changed`];
  return [`${counted} of `, { name: first.name }, " changed"];
}

function describeColumns([name, ...others]: readonly string[], what: string): Piece[][] {
  if (name === undefined) return [];
  if (others.length > 0 || name.trim() === "") return [[`${countNoun(others.length + 1, "column")} ${what}`]];
  return [["column ", { name }, ` ${what}`]];
}

/** The sum of several files' counts; a column of one is not that of another, so their names are left out. */
export function describeSum(counts: readonly Told[]): string {
  const sum = (of: (one: Told) => number) => counts.reduce((total, one) => total + of(one), 0);
  const told = [
    [sum(({ added }) => added), "row", "added"],
    [sum(({ removed }) => removed), "row", "removed"],
    [sum(({ cells }) => cells), "cell", "changed"],
    [sum(({ columns_added }) => columns_added.length), "column", "added"],
    [sum(({ columns_removed }) => columns_removed.length), "column", "removed"],
  ] as const;
  return told
    .filter(([count]) => count > 0)
    .map(([count, noun, what]) => `${countNoun(count, noun)} ${what}`)
    .join(", ");
}

/** The pieces as a plain text. */
export function joinPieces(pieces: readonly Piece[]): string {
  return pieces.map((piece) => (typeof piece === "string" ? piece : piece.name)).join("");
}

const FIGURES = new Intl.NumberFormat("en-GB");

function countNoun(count: number, noun: string): string {
  return `${FIGURES.format(count)} ${count === 1 ? noun : `${noun}s`}`;
}
