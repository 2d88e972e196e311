/** What an agent says of a column of one of its tables. */
export interface DictionaryColumn {
  name: string;
  title?: string | undefined;
  description?: string | undefined;
  unit?: string | undefined;
  missing_values?: string[] | undefined;
  categories?: { value: string; label?: string | undefined }[] | undefined;
  required?: boolean | undefined;
  unique?: boolean | undefined;
  /** A number, or the text of a date or of a number that JSON would not hold exactly. */
  minimum?: number | string | undefined;
  maximum?: number | string | undefined;
  role?: "time" | "place" | "measure" | "identifier" | undefined;
  concept?: string | undefined;
  references?: { label: string; column: string } | undefined;
}

/** What an agent says of one table of a file, as a payload holds it. */
export interface Dictionary {
  /** The list of a JSON document; left out where there is one table. */
  table?: string | undefined;
  primary_key?: string[] | undefined;
  columns: DictionaryColumn[];
}

/** The member of an attachment: one dictionary, or one for each of several tables. */
export type DictionaryMember = Dictionary | Dictionary[];

/** The dictionaries of an attachment, each with the end of its path. */
export function listDictionaries(member: DictionaryMember): { dictionary: Dictionary; path: string }[] {
  return Array.isArray(member)
    ? member.map((dictionary, at) => ({ dictionary, path: `.${at}` }))
    : [{ dictionary: member, path: "" }];
}

/** The dictionary of a table; `isOnly` where the file has no other: then neither needs to name it. */
export function findDictionary(
  member: DictionaryMember | null,
  table: string | null,
  isOnly: boolean,
): Dictionary | null {
  if (member === null) return null;
  const all = listDictionaries(member).map(({ dictionary }) => dictionary);
  return (
    all.find(
      (one) => one.table === (table ?? undefined) || (isOnly && (table === null || one.table === undefined)),
    ) ?? null
  );
}

/** How many rules dictionaries have: each member of a column that can fail is one, and so is each key. */
export function countRules(member: DictionaryMember): number {
  return listDictionaries(member).reduce((sum, { dictionary }) => sum + countOwnRules(dictionary), 0);
}

function countOwnRules({ primary_key, columns }: Dictionary): number {
  const ofColumns = columns.flatMap((column) => [
    column.required === true,
    column.unique === true,
    column.minimum !== undefined,
    column.maximum !== undefined,
    column.categories !== undefined,
    column.references !== undefined,
  ]);
  return ofColumns.filter(Boolean).length + (primary_key === undefined ? 0 : 1);
}
