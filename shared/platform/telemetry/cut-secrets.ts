/**
 * Cuts tokens, codes, queries, passwords, and in addresses those of sign-in links, claims, uploads and previews out of
 * a text that goes into the log or a trace: such texts hold messages of libraries, which repeat what they were given.
 */
export function cutSecrets(text: string): string {
  return text
    .replace(/\b(bs[ter])_[A-Za-z0-9][A-Za-z0-9-]{15,}/g, "$1_[cut]")
    .replace(/\/(sign-in|claim|console\/email|uploads|preview)\/[\w-]{16,}/g, "/$1/[cut]")
    .replace(/\?\S+/g, "?[cut]")
    .replace(/(\w:\/\/[^\s/:@"]*):[^\s/@"]+@/g, "$1:[cut]@");
}

/** The one member of a line that is there to show a secret. */
const SHOWN = "sign_in_link";

/** Members nested deeper are left out; no line of ours has any. */
const MOST_DEPTH = 4;

/** The members of a line of the log, with every text in them cut. */
export function cutMembers(members: object, depth = 0): Record<string, unknown> {
  const cut = Object.entries(members).map(([name, value]) => [
    name,
    name === SHOWN ? value : cutValue(value, depth),
  ]);
  return Object.fromEntries(cut);
}

function cutValue(value: unknown, depth: number): unknown {
  if (typeof value === "string") return cutSecrets(value);
  // An error's texts are cut where it is described.
  if (typeof value !== "object" || value === null || value instanceof Error) return value;
  if (depth >= MOST_DEPTH) return undefined;
  return Array.isArray(value) ? value.map((one) => cutValue(one, depth + 1)) : cutMembers(value, depth + 1);
}
