import { joinWords } from "../../ground/text.ts";
import { KIND_BITS, LONG_NUMBER } from "./column-types.ts";
import { clip, findUnseen, spell } from "./csv-header.ts";
import { findSimilarNames } from "./header-hints.ts";
import { type Hint, hint } from "./hints.ts";
import type { OpenList } from "./json-lists.ts";
import type { Column } from "./verdict.ts";

const KINDS = [
  [KIND_BITS.number, "numbers"],
  [KIND_BITS.text, "texts"],
  [KIND_BITS.date, "dates"],
  [KIND_BITS.boolean, "booleans"],
  [KIND_BITS.object, "objects"],
  [KIND_BITS.array, "lists"],
] as const;

/** What an accepted list of objects with these columns has that its sender should look at. */
export function findListHints(list: OpenList, columns: readonly Column[]): Hint[] {
  return [
    ...(list.rowCount === 0 ? [hint("no_rows", "The list is empty: it has no row.", { count: 0 })] : []),
    ...findSimilarNames(
      columns.map(({ name }) => name),
      [],
    ),
    ...columns.flatMap(({ name, type }, at) => {
      const kinds = list.kinds[at] ?? 0;
      const held = KINDS.flatMap(([bit, words]) => ((kinds & bit) === 0 ? [] : [words]));
      const mixture = `Column "${clip(name)}" is mixed: it holds ${joinWords(held)}. Write null where nothing is known.`;
      const hidden = `Column "${spell(name)}" is named with a character that nobody sees. It is another name than one without.`;
      const long = `Column "${clip(name)}" holds whole numbers over 2^53, which many programs round. Write them as texts.`;
      return [
        ...(type === "mixed" ? [hint("mixed_column", mixture, { columns: [name] })] : []),
        ...(findUnseen(name) === null ? [] : [hint("invisible_characters", hidden, { columns: [name] })]),
        ...((kinds & LONG_NUMBER) === 0 ? [] : [hint("long_numbers", long, { columns: [name] })]),
      ];
    }),
  ];
}
