/** A link of a page or a document to another, as RFC 8288 has it. */
export interface Link {
  rel: string;
  href: string;
  type?: string;
  profile?: string;
}

/** The links of one page or document. */
export interface LinkContext {
  anchor: string;
  links: readonly Link[];
}

/** The media type of a linkset. */
export const LINKSET_TYPE = "application/linkset+json";

/** Proxies take lines of headers up to 4 or 8 KiB. */
const MOST_HEADER_BYTES = 4_095;

/** A Link header. What does not fit is left out, items first: the linkset has everything. */
export function writeLinkHeader(links: readonly Link[]): string {
  const written = links.map((link) => ({ isItem: link.rel === "item", text: writeLink(link) }));
  let left = MOST_HEADER_BYTES;
  for (const { isItem, text } of written) if (!isItem) left -= text.length + ", ".length;
  return written
    .filter(({ isItem, text }) => {
      if (!isItem) return true;
      left -= text.length + ", ".length;
      return left >= 0;
    })
    .map(({ text }) => text)
    .join(", ");
}

function writeLink({ href, rel, type, profile }: Link): string {
  const parameters = Object.entries({ rel, type, profile });
  return [`<${href}>`, ...parameters.flatMap(([name, value]) => (value ? [`${name}="${value}"`] : []))].join(
    "; ",
  );
}

/** A linkset as RFC 9264 writes it in JSON. */
export function writeLinkset(contexts: readonly LinkContext[]): object {
  return {
    linkset: contexts.map(({ anchor, links }) => {
      const relations: Record<string, object[]> = {};
      for (const { rel, href, type, profile } of links) {
        const target = {
          href,
          ...(type === undefined ? {} : { type }),
          // Attributes that the RFC does not define are lists.
          ...(profile === undefined ? {} : { profile: [profile] }),
        };
        relations[rel] = [...(relations[rel] ?? []), target];
      }
      return { anchor, ...relations };
    }),
  };
}
