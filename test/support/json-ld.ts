import jsonld from "jsonld";
import type { Json } from "./agent.ts";

/** The context behind https://schema.org as far as pages use it: names of its vocabulary, addresses as links. */
const SCHEMA_ORG = {
  "@context": {
    "@vocab": "http://schema.org/",
    ...Object.fromEntries(
      ["additionalType", "contentUrl", "license", "url"].map((name) => [name, { "@type": "@id" }]),
    ),
  },
};

const loadDocument = async (url: string) => {
  if (!/^https:\/\/schema\.org\/?$/.test(url)) throw new Error(`the network is not at hand: ${url}`);
  return { contextUrl: undefined, documentUrl: url, document: SCHEMA_ORG };
};

/** Expands a document as JSON-LD 1.1 has it, without the network; throws where a member has no meaning. */
export async function expandJsonLd(document: Json, base: string): Promise<Json[]> {
  const options = { base, documentLoader: loadDocument, safe: true };
  return (await jsonld.expand(document, options as Parameters<typeof jsonld.expand>[1])) as Json[];
}
