declare module "daff" {
  /** A table in memory, the header first. */
  export class TableView {
    constructor(rows: unknown[][]);
    data: unknown[][];
  }
  export class HighlightPatch {
    constructor(table: TableView, patch: TableView);
    apply(): boolean;
  }
  export class Csv {
    parseTable(text: string, table: TableView): boolean;
    renderTable(table: TableView): string;
  }
  export class CompareFlags {
    addPrimaryKey(column: string): void;
  }
  export function compareTables(one: TableView, other: TableView, flags: CompareFlags): { align(): object };
  export class TableDiff {
    constructor(alignment: object, flags: CompareFlags);
    hilite(output: TableView): boolean;
  }
}
