import { LRUCache } from "lru-cache";

/** A connection keeps the plans of at most so many statements: of 60 KB each, measured over those of pages. */
export const MOST_PREPARED = 128;
/** A text that was sent so often by a process will be sent again; those with a list of values in them mostly are not. */
const SENDS_BEFORE = 3;
const TEXTS_COUNTED = 2_000;
/** A longer text has its values in it, one by one; what stands around a work is read in one of 10,000. */
const MOST_CHARACTERS = 12_000;

// Searches are planned for their words: one may stand in half of all works, another in none.
const NEVER = /::tsquery\b/;
const PREPARABLE = /^\s*(?:SELECT|WITH|INSERT|UPDATE|DELETE)\b/;

/**
 * Names for the statements that a process sends again and again. PostgreSQL parses and plans a named statement once for each
 * connection, which takes more of its time than most of our reads do; of a statement whose best plan depends on its
 * values, it makes a new plan each time all the same. Returns the name of a text, or null.
 */
export function openPreparedNames(): (text: string) => string | null {
  const sends = new LRUCache<string, number>({ max: TEXTS_COUNTED });
  const names = new Map<string, string>();
  return (text) => {
    const known = names.get(text);
    if (known !== undefined) return known;
    if (names.size >= MOST_PREPARED || text.length > MOST_CHARACTERS) return null;
    if (!PREPARABLE.test(text) || NEVER.test(text)) return null;
    const count = (sends.get(text) ?? 0) + 1;
    sends.set(text, count);
    if (count <= SENDS_BEFORE) return null;
    sends.delete(text);
    const name = `broadsheet_${names.size}`;
    names.set(text, name);
    return name;
  };
}
