import { type FieldErrors, refuseFaults } from "../../shared/ground/errors.ts";
import { refuseName } from "../../shared/ground/nearest-name.ts";
import { findQueryFaults } from "../http/query.ts";
import type { JsonObject } from "./components.ts";
import { OpenApiQuery } from "./schemas/queries.ts";

interface Operation {
  operationId: string;
  tags: readonly string[];
  security: readonly object[];
}

interface Document {
  info: JsonObject;
  tags: readonly { name: string }[];
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  components: Readonly<Record<string, JsonObject>>;
}

/** The operations of a document that a query names, with all that they refer to; null where it names none. */
export function cutDocument(document: Document, query: Record<string, unknown>): JsonObject | null {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  const known = {
    operation: operations.map(({ operationId }) => operationId),
    tag: document.tags.map(({ name }) => name),
  };
  const faults: FieldErrors = findQueryFaults(query, OpenApiQuery);
  for (const [kind, names] of Object.entries(known)) {
    const name = query[kind];
    if (typeof name === "string" && !names.includes(name))
      faults[kind] ??= [refuseName(name, { kind, taker: "document" }, names)];
  }
  refuseFaults(faults);
  if (query.operation === undefined && query.tag === undefined) return null;
  const isWanted = ({ operationId, tags }: Operation) =>
    [operationId, undefined].includes(query.operation as string | undefined) &&
    [...tags, undefined].includes(query.tag as string | undefined);
  return { ...document, ...keepWanted(document, isWanted) };
}

function keepWanted(document: Document, isWanted: (operation: Operation) => boolean): JsonObject {
  const paths = Object.entries(document.paths).flatMap(([path, methods]) => {
    const kept = Object.entries(methods).filter(([, operation]) => isWanted(operation));
    return kept.length === 0 ? [] : [[path, Object.fromEntries(kept)] as const];
  });
  const operations = paths.flatMap(([, methods]) => Object.values(methods));
  const components: Record<string, JsonObject> = {};
  const keep = (kind: string, name: string) => {
    const part = document.components[kind]?.[name];
    if (components[kind]?.[name] !== undefined) return;
    components[kind] = { ...components[kind], [name]: part };
    follow(part);
  };
  const follow = (part: unknown) => {
    for (const [, kind = "", name = ""] of JSON.stringify(part).matchAll(/"#\/components\/(\w+)\/([^"]+)"/g))
      keep(kind, name);
  };
  follow(paths);
  for (const scheme of operations.flatMap(({ security }) => security.flatMap(Object.keys)))
    keep("securitySchemes", scheme);
  const { description: _, ...info } = document.info;
  const tags = document.tags.filter(({ name }) =>
    operations.some((operation) => operation.tags.includes(name)),
  );
  return { info, tags, paths: Object.fromEntries(paths), components };
}
