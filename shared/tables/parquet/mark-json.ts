import type { ParquetKind } from "./find-kinds.ts";

// Arrow has texts and no JSON, so the library marks lists and objects as texts. Their marks in the footer of a file
// (apache/parquet-format, parquet.thrift: `SchemaElement`) have as many bytes for JSON.
const CONVERTED_TYPE = { field: 6, text: 0, json: 38 };
const LOGICAL_TYPE = { field: 10, text: 0x1c, json: 0xcc };

/** Types of values in Thrift's compact protocol. */
const [STOP, YES, NO, BINARY, STRUCT] = [0, 1, 2, 8, 12];

const TAIL_BYTES = 8;

/** Marks the columns of JSON in the last bytes of a Parquet file, which have its footer. */
export function markJson(end: Uint8Array, kinds: readonly ParquetKind[]): void {
  if (!kinds.includes("json")) return;
  const tail = end.length - TAIL_BYTES;
  const footerBytes = new DataView(end.buffer, end.byteOffset).getUint32(tail, true);
  // Behind the version, the list of what the schema has: the table, and its columns.
  let at = skipNumber(end, tail - footerBytes + 1) + 1;
  at = end[at] === LONG_LIST ? skipNumber(end, at + 1) : at + 1;
  at = walkStruct(end, at);
  for (const kind of kinds) {
    at = walkStruct(end, at, (field, place) => {
      if (kind !== "json") return;
      if (field === CONVERTED_TYPE.field) replace(end, place + 1, CONVERTED_TYPE);
      if (field === LOGICAL_TYPE.field) replace(end, place + 1, LOGICAL_TYPE);
    });
  }
}

const LONG_LIST = (15 << 4) | STRUCT;

function replace(bytes: Uint8Array, at: number, { text, json }: { text: number; json: number }): void {
  if (bytes[at] !== text) throw new Error("the library marked no text where JSON is");
  bytes[at] = json;
}

/** Gives the place after a struct; `visit` gets each field with the place of its head. */
function walkStruct(bytes: Uint8Array, from: number, visit?: (field: number, at: number) => void): number {
  let at = from;
  for (let field = 0; ; ) {
    const head = bytes[at] as number;
    if (head === STOP) return at + 1;
    field += head >> 4;
    visit?.(field, at);
    at = skipValue(bytes, at + 1, head & 15);
  }
}

function skipValue(bytes: Uint8Array, at: number, type: number): number {
  if (type === YES || type === NO) return at;
  if (type === STRUCT) return walkStruct(bytes, at);
  const end = skipNumber(bytes, at);
  return type === BINARY ? end + readNumber(bytes, at) : end;
}

/** Seven bits a byte, the lowest first; the last byte has no more behind it. */
function readNumber(bytes: Uint8Array, at: number): number {
  const byte = bytes[at] as number;
  return byte < 128 ? byte : byte - 128 + 128 * readNumber(bytes, at + 1);
}

function skipNumber(bytes: Uint8Array, from: number): number {
  let at = from;
  while ((bytes[at] as number) >= 128) at++;
  return at + 1;
}
