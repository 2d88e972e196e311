/** Whether this is `npm run test:deep`, which tries everything whole; `npm test` tries a part. */
export const DEEP = process.env.TEST_DEEP === "1";
const PART = 4;

/** How often a property is tried: a quarter of the whole number in `npm test`. */
export function runs(whole: number): number {
  return DEEP ? whole : Math.ceil(whole / PART);
}

/** The samples of a long list that are tried: every fourth of them in `npm test`. */
export function some<T>(whole: readonly T[]): readonly T[] {
  return DEEP ? whole : whole.filter((_, at) => at % PART === 0);
}
