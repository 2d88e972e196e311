import { type Refusal, refuseField, validationFailed } from "../../ground/errors.ts";
import { countCodePoints, findSingleLineFault, takeCodePoints } from "../../ground/text.ts";
import type { Dialect } from "../../tables/dialects/dialect.ts";
import type { ReadDialect } from "../../tables/dialects/read-dialect.ts";

/** An incoming file: its name and its bytes, which are read once. */
export interface IncomingFile {
  filename: string;
  /** The file of the agent that these bytes are to be appended to, as it was named; null for a file of its own. */
  baseAssetId: string | null;
  /** How its table is written, as its sender says; null where nothing is said. */
  dialect: Dialect | "auto" | null;
  /** Whether the service wrote it, in canonical form, whatever its base is read by. */
  isCanonical?: boolean;
  bytes: AsyncIterable<Uint8Array>;
  /** The length that the request gives itself: the file has no more bytes; null where it gives none. */
  declaredBytes: number | null;
  /** Whether the route cut the bytes at the size limit; known once they have been read. */
  wasCut(): boolean;
}

/** 422: the file has more bytes than it may. */
export function tooLarge(limit: number): Refusal {
  return refuseFile(`The file is larger than ${limit} bytes; split it into smaller files.`);
}

/** 422 on the file. */
export function refuseFile(sentence: string): Refusal {
  return refuseField("file", sentence);
}

/** 422 on the file that the upload is to be appended to. */
export function refuseBase(sentence: string): Refusal {
  return refuseField("base_asset_id", sentence);
}

export const KINDS = {
  csv: "dataset",
  json: "dataset",
  jsonl: "dataset",
  txt: "document",
  md: "document",
} as const;
export type Format = keyof typeof KINDS;

const MOST_NAME_CHARACTERS = 255;

/** The member of a request that names a file: the form's field, or that of an address to come. */
type NamedBy = "file" | "filename";

/**
 * The name of an uploaded file without its folders; throws 422 on its member for a name that cannot be stored.
 */
export function readFilename(given: string, field: NamedBy = "file"): string {
  const name = given.replace(/^.*[/\\]/, "").trim();
  const fault = findSingleLineFault(name);
  if (fault !== null) throw refuseField(field, `The file's name ${fault}.`);
  if (name === "" || countCodePoints(name) > MOST_NAME_CHARACTERS) {
    throw refuseField(field, "The file needs a name of 1 to 255 characters.");
  }
  return takeCodePoints(name, MOST_NAME_CHARACTERS);
}

/**
 * The format of a file by the ending of its name; throws 422 on its member for any other, naming an accepted
 * form.
 */
export function readFormat(filename: string, field: NamedBy = "file"): Format {
  const ending = endingOf(filename);
  if (Object.hasOwn(KINDS, ending)) return ending as Format;
  if (TAB_ENDINGS.includes(ending)) return "csv";
  if (ending === "ndjson") return "jsonl";
  const mend = MENDS.find(({ endings }) => endings.includes(ending))?.mend;
  throw refuseField(
    field,
    `The file's name must end in .csv, .tsv, .json, .jsonl, .txt or .md; ${mend ?? "PDF, images and other formats are not accepted"}.`,
  );
}

const TAB_ENDINGS: readonly string[] = ["tsv", "tab"];

function endingOf(filename: string): string {
  return /\.([^.]+)$/.exec(filename)?.[1]?.toLowerCase() ?? "";
}

/** The dialect that a sender names. Throws 422 with every fault of it. */
export function takeDialect(read: ReadDialect): Dialect | "auto" {
  if (!read.ok) throw validationFailed(read.faults);
  return read.dialect;
}

/** Throws 422 on `dialect` for a file that is no table of text. */
export function refuseDialectOf(format: Format): void {
  if (format === "csv") return;
  throw refuseField(
    "dialect",
    `A .${format} file has no dialect; only tables of text have one, such as .csv and .tsv.`,
  );
}

/** Whether the name of a file says that tabs separate its values. */
export function isNamedForTabs(filename: string): boolean {
  return TAB_ENDINGS.includes(endingOf(filename));
}

/** How a table is asked to be read: as its sender says, and by tabs where its name says so. */
export function readAsked(filename: string, named: Dialect | "auto" | null): Dialect | "auto" | null {
  return isNamedForTabs(filename) && named !== "auto" ? { delimiter: "\t", ...named } : named;
}

/** How a file is compressed on its way. */
export type Packing = "gz" | "zst";

/** The name that a file is stored under: that of a compressed one without its last ending. */
export function readPacking(filename: string): { stored: string; packing: Packing | null } {
  const [, stored, ending] = /^(.*\.(?:csv|json|tsv|tab|jsonl|ndjson))\.(gz|zst)$/i.exec(filename) ?? [];
  if (stored === undefined || ending === undefined) return { stored: filename, packing: null };
  return { stored, packing: ending.toLowerCase() === "gz" ? "gz" : "zst" };
}

const MENDS = [
  { endings: ["geojson", "topojson", "ipynb"], mend: "name this JSON file .json" },
  { endings: ["psv"], mend: 'name it .csv, and send the form field dialect with {"delimiter": "|"}' },
  {
    endings: ["xlsx", "xls", "xlsm", "ods", "numbers", "parquet", "feather", "arrow"],
    mend: "save the table as CSV in UTF-8",
  },
  { endings: ["markdown", "mdown", "mkd"], mend: "name this Markdown file .md" },
  { endings: ["text", "log", "rst"], mend: "name this text file .txt" },
  {
    endings: ["gz", "zst"],
    mend: "of compressed files only tables are accepted, such as .csv.gz, .tsv.gz and .json.zst",
  },
  {
    endings: ["zip", "bz2", "xz", "7z", "tar", "tgz"],
    mend: "unpack the archive and upload its files one by one",
  },
];
