import { type Refusal, validationFailed } from "../../ground/errors.ts";

/** An incoming file: its name and its bytes, which are read once. */
export interface IncomingFile {
  filename: string;
  /** The file of the agent that these bytes are to be appended to, as it was named; null for a file of its own. */
  baseAssetId: string | null;
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
  return validationFailed({ file: [sentence] });
}

/** 422 on the file that the upload is to be appended to. */
export function refuseBase(sentence: string): Refusal {
  return validationFailed({ base_asset_id: [sentence] });
}
