import { type CellPlaces, createPlaces, type RowReader } from "../rows/cells.ts";

/** The cells of some columns over some rows: those of one column stand side by side. */
export interface LocatedCells {
  places: CellPlaces;
  rowCount: number;
  /** Where the row after them begins. */
  next: number;
}

/** Locates the cells of the reader's first `width` columns in `rowCount` rows from the one at `from` on. */
export function locateCells(
  bytes: Buffer,
  reader: RowReader,
  { from, rowCount, width }: { from: number; rowCount: number; width: number },
): LocatedCells {
  const places = createPlaces(width * rowCount);
  const { starts, ends, kinds } = reader.places;
  let at = from;
  for (let row = 0; row < rowCount; row++) {
    at = reader.locate(bytes, at);
    for (let slot = 0, cell = row; slot < width; slot++, cell += rowCount) {
      places.starts[cell] = starts[slot] as number;
      places.ends[cell] = ends[slot] as number;
      places.kinds[cell] = kinds[slot] as number;
    }
  }
  return { places, rowCount, next: at };
}
