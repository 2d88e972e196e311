import type { DescribedCells } from "./described-cells.ts";

/** What a check found, as it is stored. */
export interface StoredChecks {
  checked_at: string;
  /** How many rules there are. */
  rules: number;
  passed: number;
  /** What the columns with missing values hold beside those, by the place of their table in the file. */
  columns: { position: number | null; columns: DescribedCells[] }[];
}
