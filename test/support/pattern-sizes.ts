/** Where the regular expressions of a file come from: how many it has, and over what they run. */
export type Listed = { patterns: number } & ({ characters: number | readonly number[] } | { own: string });

export const JSON_BODY = 2 * 1_048_576;
export const MARKDOWN = 100_000;
/** Node reads no more of all headers of a request, its address included. */
export const HEADERS = 16_384;
export const FORM = 16_384;
/** A checkpoint or a proof of a log of another site. */
export const NOTE = 65_536;
export const URL = 2_048;
export const CELL = 1_048_576;
export const NAME = 500;
/** As many characters of a name are read, however long it is. */
export const NAME_READ = 10_000;
/** Rows of a table in the answer to a tool. */
export const ANSWER = 1_000_000;

export const foreign = (patterns: number, characters: number | readonly number[]): Listed => ({
  patterns,
  characters,
});
export const own = (patterns: number, reason: string): Listed => ({ patterns, own: reason });
