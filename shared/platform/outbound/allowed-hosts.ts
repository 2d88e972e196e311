/** What a request to the outside is made for. */
const PURPOSES = ["webhook", "client", "domain", "witness", "hub"] as const;
export type Purpose = (typeof PURPOSES)[number];

/** What an entry without a purpose opens, beside what an operator entered himself. */
const USUAL: readonly Purpose[] = ["webhook", "client"];

const ENTRY =
  /^(?:([a-z]+)=)?(\[[0-9a-f:.]{2,45}\]|[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?):(\d{1,5})(\/[^\s?#]*)?$/i;

/**
 * What the entries of OUTBOUND_ALLOW, `[purpose=]host:port[/path]`, open: `purpose host:port`, or such with one path, each
 * as an address spells it; null where an entry is something else.
 */
export function readAllowedHosts(text: string): string[] | null {
  const opened = text.split(",").map((entry) => readEntry(entry.trim()));
  return opened.every((entry) => entry.length > 0) ? opened.flat() : null;
}

function readEntry(entry: string): string[] {
  const [, purpose, host, port, path] = ENTRY.exec(entry) ?? [];
  // The scheme has no port of its own, so that none is left out.
  const url = host === undefined ? null : URL.parse(`http://${host}${path ?? ""}`);
  const number = Number(port);
  if (url === null || number < 1 || number > 65_535) return [];
  const purposes = purpose === undefined ? USUAL : PURPOSES.filter((known) => known === purpose);
  return purposes.map((of) => `${of} ${url.hostname}:${number}${path === undefined ? "" : url.pathname}`);
}
