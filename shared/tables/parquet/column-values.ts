import {
  Bool,
  type Data,
  type DataType,
  DateDay,
  Float64,
  Int64,
  makeData,
  TimestampMillisecond,
  Utf8,
} from "apache-arrow";
import { countDaysTo, readDay } from "../inspection/dates.ts";
import { readNumber } from "../statistics/value-counts.ts";
import { readTime } from "./cells.ts";
import type { ParquetKind } from "./find-kinds.ts";

/** The values of a column over some rows, as Arrow lays them out. */
export interface ColumnValues {
  /** Takes the value between two places as that of a row; rows come in their order, and those without one are null. */
  take(bytes: Buffer, start: number, end: number, row: number): void;
  data(): Data;
}

/** The type that Arrow has for each kind. */
export const TYPES: Readonly<Record<ParquetKind, DataType>> = {
  integer: new Int64(),
  double: new Float64(),
  day: new DateDay(),
  time: new TimestampMillisecond("UTC"),
  boolean: new Bool(),
  text: new Utf8(),
  json: new Utf8(),
};

/** Starts a column of so many rows without values. */
export function startColumn(kind: ParquetKind, rowCount: number): ColumnValues {
  const filled = new Uint8Array(Math.ceil(rowCount / 8));
  let nullCount = rowCount;
  const { put, buffers } = startValues(kind, rowCount);
  return {
    take(bytes, start, end, row) {
      setBit(filled, row);
      nullCount--;
      put(bytes, start, end, row);
    },
    data() {
      const common = { type: TYPES[kind], length: rowCount, nullCount, nullBitmap: filled };
      return makeData({ ...common, ...buffers() } as Parameters<typeof makeData>[0]);
    },
  };
}

/** The values of a column alone: what is not put is nothing. */
interface Values {
  put: ColumnValues["take"];
  buffers(): { data: ArrayBufferView; valueOffsets?: Int32Array };
}

function startValues(kind: ParquetKind, rowCount: number): Values {
  if (kind === "text" || kind === "json") return startTexts(rowCount);
  if (kind === "boolean") return startBooleans(rowCount);
  if (kind === "double") return startNumbers(new Float64Array(rowCount), readNumber);
  if (kind === "day")
    return startNumbers(new Int32Array(rowCount), (bytes, start) => countDaysTo(readDay(bytes, start)));
  return startNumbers(new BigInt64Array(rowCount), kind === "integer" ? readInteger : readMilliseconds);
}

function startNumbers<Kind extends number | bigint>(
  data: ArrayBufferView & Record<number, Kind>,
  read: (bytes: Buffer, start: number, end: number) => Kind,
): Values {
  return {
    put: (bytes, start, end, row) => {
      data[row] = read(bytes, start, end);
    },
    buffers: () => ({ data }),
  };
}

function readInteger(bytes: Buffer, start: number, end: number): bigint {
  return BigInt(bytes.toString("latin1", start, end));
}

function readMilliseconds(bytes: Buffer, start: number, end: number): bigint {
  return BigInt(readTime(bytes, start, end) ?? 0);
}

const [SMALL_T, CAPITAL_T] = [0x74, 0x54];

function startBooleans(rowCount: number): Values {
  const data = new Uint8Array(Math.ceil(rowCount / 8));
  return {
    put(bytes, start, _, row) {
      if (bytes[start] === SMALL_T || bytes[start] === CAPITAL_T) setBit(data, row);
    },
    buffers: () => ({ data }),
  };
}

const FIRST_BYTES_OF_TEXT = 16;
/** From so many bytes on, the engine copies faster than a loop. */
const LONG_TEXT = 32;

function startTexts(rowCount: number): Values {
  const valueOffsets = new Int32Array(rowCount + 1);
  let data = Buffer.allocUnsafeSlow(FIRST_BYTES_OF_TEXT * rowCount);
  let [length, next] = [0, 0];
  return {
    put(bytes, start, end, row) {
      while (next <= row) valueOffsets[next++] = length;
      const whole = length + end - start;
      if (whole > data.length) data = Buffer.concat([data.subarray(0, length)], 2 * whole);
      if (end - start >= LONG_TEXT) bytes.copy(data, length, start, end);
      else for (let from = start, to = length; from < end; from++, to++) data[to] = bytes[from] as number;
      length = whole;
    },
    buffers() {
      valueOffsets.fill(length, next);
      return { data: data.subarray(0, length), valueOffsets };
    },
  };
}

function setBit(bits: Uint8Array, at: number): void {
  bits[at >> 3] = (bits[at >> 3] as number) | (1 << (at & 7));
}
