import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { type Json, request } from "../../../support/agent.ts";
import { usePackages } from "../../../support/published-packages.ts";
import { fillRichSite } from "../../../support/rich-site.ts";
import { openService, untilJobsAreDone } from "../../../support/service.ts";

const VALIDATOR = "@adobe/structured-data-validator";
// The validator takes the vocabulary as schema.org serves it; these types are made of that, and have each name of it.
const VOCABULARY = "schema-dts";

interface Validator {
  validate(found: object): Promise<{ issueMessage: string; severity: string }[]>;
}

const installed = await usePackages(`${VALIDATOR}@1.7.1`, `${VOCABULARY}@2.1.0`);
const service = await openService();
const { works, rainwatch, almanac } = await fillRichSite(service);
await untilJobsAreDone(service);
const addresses = Object.values(works).flatMap(({ public_url }: Json) =>
  public_url === null ? [] : [new URL(public_url).pathname],
);
const pages: string[] = [`/@${rainwatch.handle}`, `/@${almanac.handle}`, ...new Set(addresses)];

/** The classes of the types with their parents, and each member with the classes that have it. */
function readVocabulary(types: string): object {
  const parents = new Map<string, string[]>();
  const domains = new Map<string, string[]>();
  for (const [, name = "", , above = "", body = ""] of types.matchAll(
    /^(?:export )?interface (\w+?)(Base|Leaf)(?: extends ([^{]+))? \{\n(.*?)^\}/gms,
  )) {
    const bases = [...above.matchAll(/(\w+)Base\b/g)].map(([, base = ""]) => base);
    parents.set(name, [...(parents.get(name) ?? []), ...bases.filter((base) => base !== name)]);
    for (const [, member = ""] of body.matchAll(/^ {4}"([\w-]+)"\?:/gm))
      domains.set(member, [...(domains.get(member) ?? []), name]);
  }
  const refer = (names: readonly string[]) => names.map((name) => ({ "@id": `schema:${name}` }));
  const classes = [...parents].map(([name, above]) => {
    return { "@id": `schema:${name}`, "@type": "rdfs:Class", "rdfs:subClassOf": refer(above) };
  });
  const members = [...domains].map(([name, of]) => {
    return { "@id": `schema:${name}`, "@type": "rdf:Property", "schema:domainIncludes": refer(of) };
  });
  return { "@graph": [...classes, ...members] };
}

async function openValidator(folder: string): Promise<Validator> {
  const modules = join(folder, "node_modules");
  const types = await readFile(join(modules, VOCABULARY, "dist", "schema.d.ts"), "utf8");
  const { default: Made } = await import(pathToFileURL(join(modules, VALIDATOR, "src", "index.js")).href);
  return new Made(readVocabulary(types));
}

async function readItems(page: string): Promise<Json[]> {
  const { text } = await request(service, { method: "GET", url: page });
  const scripts = text.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs);
  return [...scripts].map(([, json = ""]) => JSON.parse(json));
}

test("the validator finds no error and no warning in the JSON-LD of any page, and each that is planted", {
  timeout: 360_000,
}, async () => {
  const validator = await openValidator(installed ?? "");
  const find = (items: readonly Json[]) => {
    const jsonld = Object.groupBy(items, (item) => String(item["@type"]));
    return validator.validate({ jsonld, microdata: {}, rdfa: {}, errors: [] });
  };
  const types = new Set<string>();
  for (const page of pages) {
    const items = await readItems(page);
    for (const item of items) types.add(item["@type"]);
    expect([page, items.length > 0, await find(items)]).toEqual([page, true, []]);
    const planted = await find(items.map((item) => ({ ...item, colour: "red" })));
    expect(planted.map(({ issueMessage }) => issueMessage)).toEqual([expect.stringContaining('"colour"')]);
  }
  expect([...types].toSorted()).toEqual(["Article", "Collection", "CreativeWork", "Dataset", "ProfilePage"]);
});
