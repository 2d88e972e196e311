/** Whether this is `npm run test:deep`, which tries every sample; `npm test` tries a part. */
export const DEEP = process.env.TEST_DEEP === "1";
const PART = 4;

/** How often a property is tried: a quarter of the full number in `npm test`. */
export function runs(full: number): number {
  return DEEP ? full : Math.ceil(full / PART);
}

/** The samples of a long list that are tried: every fourth of them in `npm test`, or every `part`th. */
export function some<T>(all: readonly T[], part: number = PART): readonly T[] {
  return DEEP ? all : all.filter((_, at) => at % part === 0);
}
