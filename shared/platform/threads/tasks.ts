import type { DescribedCells } from "../../tables/dictionary/described-cells.ts";
import type { RuleFault, TableRules } from "../../tables/dictionary/table-rules.ts";
import type { FoundDiff } from "../../tables/differences/diff-tables.ts";
import type { DiffWish } from "../../tables/differences/diff-view.ts";
import type { DiffPlan } from "../../tables/differences/plan-diff.ts";
import type { DiffExportState, DiffPart, NamedFile } from "../../tables/differences/write-diff.ts";
import type { InspectedBase } from "../../tables/inspection/csv-continued.ts";
import type { FileFormat } from "../../tables/inspection/verdict.ts";
import type { WrittenTable } from "../../tables/parquet/written-tables.ts";
import type { CodedTable } from "../../tables/questions/coded-table.ts";
import type { QueryPlan } from "../../tables/questions/plan.ts";
import type { QueryForm } from "../../tables/questions/read-question.ts";
import type { QueryExportStep } from "../../tables/questions/write-export.ts";
import type { AskedFile } from "../../tables/questions/write-page.ts";
import type { ExportStep } from "../../tables/rows/export.ts";
import type { RowsFile, RowsPlan } from "../../tables/rows/plan.ts";
import type { ExportFormat } from "../../tables/rows/text-rows.ts";
import type { RowsWindow } from "../../tables/rows/windows.ts";
import type { ArtworkRecipe } from "../../text/artwork/recipe.ts";
import type { ChartCredit } from "../../text/charts/draw-chart-file.ts";
import type { Drawable } from "../../text/drawing/draw-block.ts";

export interface InspectTask {
  key: string;
  format: FileFormat;
  /** One 32-bit number, which the thread sets to the count of bytes read. */
  progress?: SharedArrayBuffer;
  /** The part of the file that was appended. */
  part?: AppendedPart;
}

/** The part of a file that was appended. */
export interface AppendedPart {
  /** The byte at which it begins, and the one after its last. */
  from: number;
  end: number;
  /** What was found of the base; null where the whole has to be read. */
  base: InspectedBase | null;
}

/** A page, by the bytes of its windows: of a file in shared memory, or of the stored one. */
export interface PageTask {
  key: string;
  bytes: SharedArrayBuffer | null;
  plan: RowsPlan;
  windows: RowsWindow[];
}

/** One step of an export, on a stored file. */
export interface ExportTask extends ExportStep {
  key: string;
}

/** A question about a table, on a file in shared memory and the columns coded so far. */
export interface QueryTask {
  plan: QueryPlan;
  form: QueryForm;
  firstRowAt: number;
  bytes: SharedArrayBuffer;
  coded: CodedTable | null;
  file: AskedFile;
}

/** One step of an export of a question's rows. */
export interface QueryPieceTask extends QueryExportStep {
  bytes: SharedArrayBuffer;
}

/** A file with a table to compare, in shared memory. */
interface ComparedFile {
  bytes: SharedArrayBuffer;
  firstRowAt: number;
}

/** Two tables to compare. */
export interface TableDiffTask {
  plan: DiffPlan;
  base: ComparedFile;
  head: ComparedFile;
}

/** Two compared tables, of which a part is written. */
interface WrittenDiff {
  plan: DiffPlan;
  found: FoundDiff;
  base: SharedArrayBuffer;
  head: SharedArrayBuffer;
  wish: DiffWish;
}

/** One page of what changed. */
export interface DiffPageTask extends WrittenDiff {
  files: { base: NamedFile; head: NamedFile };
  part: DiffPart;
}

/** One step of an export of what changed. */
export interface DiffPieceTask extends WrittenDiff {
  format: ExportFormat;
  state: DiffExportState;
}

/** An artwork to draw, and whether as a PNG too. */
export interface PaintTask {
  recipe: ArtworkRecipe;
  asPng: boolean;
}

/** A drawn artwork. */
export interface Pictures {
  svg: string;
  png: Uint8Array | null;
}

/** The file of a chart to draw: an SVG document, or the same as a PNG. */
export interface ChartFileTask {
  block: Drawable;
  credit: ChartCredit;
  asPng: boolean;
}

/** Two texts to compare. */
export interface DiffTask {
  from: string;
  to: string;
}

/** The statistics of every table of a stored file. */
export interface MeasureTask {
  key: string;
  file: RowsFile;
  readingIndex: Uint8Array | null;
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

export type ThreadWork =
  | ParquetTask
  | CheckTask
  | DiffTask
  | MeasureTask
  | InspectTask
  | PageTask
  | QueryTask
  | QueryPieceTask
  | TableDiffTask
  | DiffPageTask
  | DiffPieceTask
  | ExportTask
  | PaintTask
  | ChartFileTask
  | Drawable;

/** A thread's answer; an error would lose its class on the way back. */
export type ThreadAnswer<Result> = { found: true; result: Result } | { found: false };

/** Why a thread was ended before it answered. */
export type Overrun = "memory" | "time";
