import { z } from "zod";
import { count, dataOf } from "./members.ts";

/** GET /media/{asset}/rows. */
export const Rows = dataOf(
  z.strictObject({
    columns: z.array(z.string()),
    rows: z.array(z.array(z.unknown())).describe("Each a list in column order; an empty cell is null."),
    returned: count,
    matched: count.describe("Rows after the conditions."),
    total: count.describe("Rows of the table."),
    next_offset: count.nullable().describe("Null on the last part."),
  }),
);
