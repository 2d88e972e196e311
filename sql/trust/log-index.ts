import { z } from "zod";
import { sql } from "../connection/pool.ts";

/** The place of a revision's publication in the log; null where the log does not have it. */
export const LogIndex = z.number().nullable();

/** The column of `LogIndex` for the revision `r`. */
export const logIndexColumn = sql.fragment`
  (SELECT k.index FROM log_records k WHERE k.revision_id = r.id) AS log_index`;
