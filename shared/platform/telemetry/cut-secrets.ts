/**
 * Cuts tokens, codes, queries, and in addresses those of sign-in links, claims, uploads and previews, and passwords; only a line made to show a sign-in
 * link may print one.
 */
export function cutSecrets(line: string): string {
  return (
    line
      .replace(/\b(bs[ter])_[A-Za-z0-9][A-Za-z0-9-]{15,}/g, "$1_[cut]")
      .replace(
        /(?<!"sign_in_link":"[^"]{0,300})\/(sign-in|claim|console\/email|uploads|preview)\/[\w-]{16,}/g,
        "/$1/[cut]",
      )
      // A query may hold quotes and backslashes, which a line of JSON escapes, but no blank and no line end.
      .replace(/\?(?:[^\s"\\]|\\[^n])+/g, "?[cut]")
      .replace(/(\w:\/\/[^\s/:@"]*):[^\s/@"]+@/g, "$1:[cut]@")
  );
}
