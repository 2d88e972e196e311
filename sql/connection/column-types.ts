import pg from "pg";
import { createTimestampWithTimeZoneTypeParser, type DriverTypeParser } from "slonik";

/** How columns are read that the driver would read otherwise. */
export const TYPE_PARSERS: DriverTypeParser[] = [
  createTimestampWithTimeZoneTypeParser(),
  { name: "int8", parse: toSafeNumber },
  { name: "numeric", parse: Number },
  { name: "date", parse: (value) => value },
];

function toSafeNumber(value: string): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw new Error("an int8 value is too large for a number");
  return number;
}

/** PostgreSQL's own numbers of these types and of their arrays. */
const OIDS: Readonly<Record<string, readonly [one: number, many: number]>> = {
  timestamptz: [1184, 1185],
  int8: [20, 1016],
  numeric: [1700, 1231],
  date: [1082, 1182],
};
const TEXT_ARRAY = 1009;

type Parse = (value: string) => unknown;

const readTexts: (value: string) => string[] = pg.types.getTypeParser(TEXT_ARRAY as never, "text");

const parsers = new Map<number, Parse>(
  TYPE_PARSERS.flatMap(({ name, parse }) => {
    const [one, many] = OIDS[name] ?? [];
    if (one === undefined || many === undefined) throw new Error(`the type ${name} has no number here`);
    return [
      [one, parse],
      [many, (value: string) => readTexts(value).map((part) => parse(part))],
    ] as [number, Parse][];
  }),
);

/** The same for statements that go past slonik. */
export const COLUMN_TYPES: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => parsers.get(oid) ?? pg.types.getTypeParser(oid, format as never),
};
