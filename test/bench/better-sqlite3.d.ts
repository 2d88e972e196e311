/** The part of better-sqlite3, which comes without types, that the bench uses. */
declare module "better-sqlite3" {
  interface Statement {
    run(values: readonly unknown[]): unknown;
    all(...values: unknown[]): unknown[];
    get(...values: unknown[]): unknown;
    /** Rows come as lists of values. */
    raw(): Statement;
    /** Only the first value of each row comes. */
    pluck(): Statement;
  }
  export default class Database {
    constructor(path: string);
    exec(text: string): unknown;
    prepare(text: string): Statement;
    transaction(work: () => void): () => void;
    close(): void;
  }
}
