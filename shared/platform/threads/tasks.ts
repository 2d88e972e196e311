import type { ReadOptions } from "../../tables/dialects/judge-table.ts";
import type { DictionaryMember } from "../../tables/dictionary/dictionary.ts";
import type { DescribedCells, RuleFault, TableRules } from "../../tables/dictionary/table-rules.ts";
import type { SentFormat } from "../../tables/inspection/verdict.ts";
import type { WrittenTable } from "../../tables/parquet/find-kinds.ts";
import type { Question } from "../../tables/questions/question.ts";
import type { RowsFile } from "../../tables/rows/plan.ts";
import type { ArtworkRecipe } from "../../text/artwork/design.ts";
import type { ChartCredit } from "../../text/charts/draw-chart-file.ts";
import type { Drawable } from "../../text/drawing/draw-block.ts";

export interface InspectTask {
  key: string;
  format: SentFormat;
  /** Of the file: a large one may take longer. */
  bytes?: number | undefined;
  /** One 32-bit number, which the thread sets to the count of bytes read. */
  progress?: SharedArrayBuffer | undefined;
  /** The byte at which the part of the file that was appended begins. */
  partFrom?: number | undefined;
  /** How its table may be read where it is not canonical, and under which key its canonical form is stored. */
  reading?: Pick<ReadOptions, "asked" | "mostBytes" | "seeksPlan"> & { canonicalId: string };
}

/** An artwork to draw: an SVG document, or the same as a PNG. */
export interface PaintTask {
  recipe: ArtworkRecipe;
  asPng: boolean;
}

/** The file of a chart to draw: an SVG document, or the same as a PNG of a width. */
export interface ChartFileTask {
  block: Drawable;
  credit: ChartCredit;
  pngWidthPx: number | null;
}

/** Two texts to compare. */
export interface DiffTask {
  from: string;
  to: string;
}

/** An answer to make hashes of. */
export interface DigestTask {
  json: Uint8Array;
  question: Question;
  /** How many of its first rows are to be shown. */
  rowsShown: number;
}

/** The statistics of every table of a stored file. */
export interface MeasureTask {
  key: string;
  file: RowsFile;
  readingIndex: Uint8Array | null;
  /** What of its cells the statistics leave out. */
  dictionary?: DictionaryMember | null;
}

/** The tables of a stored file to write as Parquet, each with the key under which it is stored. */
export interface ParquetTask {
  key: string;
  file: Pick<RowsFile, "format" | "bytes">;
  sourceSha256: string;
  readingIndex: Uint8Array | null;
  tables: (WrittenTable & { fileId: string })[];
}

/** A stored Parquet file. */
export interface WrittenParquet {
  table: number;
  fileId: string;
  bytes: number;
  sha256: string;
}

/** The rules of tables to look up in stored files; each file stands at the place of its attachment. */
export interface CheckTask {
  tables: TableRules[];
  files: MeasureTask[];
}

/** What the look found: rules that do not hold, and what columns with missing values hold, for each table. */
export interface CheckedTables {
  faults: RuleFault[];
  described: DescribedCells[][];
}
