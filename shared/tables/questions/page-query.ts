import { ENTRY_LISTS, SINGLE_MEMBERS, TEXT_LISTS } from "./question.ts";

const KNOWN = new Set<string>(["question", ...SINGLE_MEMBERS, ...TEXT_LISTS, ...ENTRY_LISTS]);
const FILTER_VALUE = /^filter\[(\d{1,9})\]\[value\]$/;

/**
 * The query of a page for people as a question: without parameters of others, which people's links carry, and without
 * each filter whose field was left empty.
 */
export function readPageQuery(query: string): URLSearchParams {
  const sent = [...new URLSearchParams(query)];
  const empty = sent.flatMap(([name, value]) => {
    const number = value === "" ? FILTER_VALUE.exec(name)?.[1] : undefined;
    return number === undefined ? [] : [`filter[${number}][`];
  });
  const kept = sent.filter(
    ([name]) => KNOWN.has(name.split("[", 1)[0] ?? "") && !empty.some((start) => name.startsWith(start)),
  );
  return new URLSearchParams(kept);
}
