/** Whether this is `npm run test:deep`, which tries every sample; `npm test` tries a part. */
export const DEEP = process.env.TEST_DEEP === "1";
const PART_OF_RUNS = 40;
const PART_OF_SAMPLES = 4;

/** The largest data file of others that a test reads: larger ones have the shapes of smaller ones, and take the parsers long. */
export const MOST_DATA_BYTES = DEEP ? 700_000 : 150_000;

/** How often a property is tried: a fortieth of the full number in `npm test`, or a `part`th. */
export function runs(full: number, part: number = PART_OF_RUNS): number {
  return DEEP ? full : Math.ceil(full / part);
}

/** The samples of a long list that are tried: every fourth of them in `npm test`, or every `part`th. */
export function some<T>(all: readonly T[], part: number = PART_OF_SAMPLES): readonly T[] {
  return DEEP ? all : all.filter((_, at) => at % part === 0);
}
