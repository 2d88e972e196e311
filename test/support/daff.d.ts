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
}
