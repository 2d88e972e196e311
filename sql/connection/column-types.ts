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
