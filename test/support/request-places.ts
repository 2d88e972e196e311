import type { Json } from "./agent.ts";

/** A place in the interface that takes a text: a member of a body, a parameter or a header. */
export interface Place {
  name: string;
  method: string;
  /** The address with its parameters; the caller replaces `{creation}` and the like. */
  path(text: string): string;
  body?(text: string): Json;
  headers?(text: string): Record<string, string>;
  isForm: boolean;
  isVersioned: boolean;
}

type Fill = { name: string; fill(text: string): Json };

/** Every place of every operation of an OpenAPI document that a text can be put into. */
export function listPlaces(document: Json): Place[] {
  return Object.entries<Json>(document.paths).flatMap(([path, operations]) =>
    Object.entries<Json>(operations).flatMap(([method, operation]) =>
      placesOf(document, method.toUpperCase(), path, operation),
    ),
  );
}

function placesOf(document: Json, method: string, path: string, operation: Json): Place[] {
  const parameters: Json[] = (operation.parameters ?? []).map((one: Json) => resolve(document, one));
  const content = operation.requestBody?.content ?? {};
  const isForm = content["multipart/form-data"] !== undefined;
  const schema = content["application/json"]?.schema;
  const base = { method, isForm, isVersioned: parameters.some(({ name }) => name === "If-Match") };
  const ownBody = schema === undefined ? {} : { body: () => makeSample(document, schema, "body") };
  const inAddress = parameters.filter((one) => one.in === "path" || one.in === "query");
  const places: Place[] = inAddress.map((one) => ({
    ...base,
    ...ownBody,
    name: `${method} ${path} ${one.in} ${one.name}`,
    path: (text) => putInto(path, one, text),
  }));
  for (const { name } of parameters.filter((one) => one.in === "header")) {
    const headers = (text: string) => ({ [name]: toHeader(text) });
    places.push({ ...base, ...ownBody, name: `${method} ${path} header ${name}`, path: () => path, headers });
  }
  if (isForm) places.push({ ...base, name: `${method} ${path} file`, path: () => path });
  const fills = schema === undefined ? [] : [...walk(document, schema, "body")];
  return [
    ...places,
    ...fills.map(({ name, fill }) => ({
      ...base,
      name: `${method} ${path} ${name}`,
      path: () => path,
      body: fill,
    })),
  ];
}

function putInto(path: string, parameter: Json, text: string): string {
  const encoded = encodeURIComponent(text.toWellFormed());
  if (parameter.in === "path") return path.replace(`{${parameter.name}}`, encoded);
  return `${path}?${encodeURIComponent(parameter.name)}=${encoded}`;
}

/** The part of a text that a client can send in a header at all. */
function toHeader(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, "");
}

/**
 * Every member of a schema, each in the smallest body that it can stand in, and a member of the text's name.
 */
function* walk(document: Json, given: Json, name: string): Generator<Fill> {
  const schema = resolve(document, given);
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices !== undefined) {
    for (const choice of choices) if (choice.type !== "null") yield* walk(document, choice, name);
    return;
  }
  if (schema.type === "array") {
    for (const { name: inner, fill } of walk(document, schema.items, `${name}.0`)) {
      yield { name: inner, fill: (text) => [fill(text)] };
    }
    return;
  }
  if (schema.type !== "object") {
    yield { name, fill: (text) => text };
    return;
  }
  const own = () => makeSample(document, schema, name);
  yield { name: `${name}.*`, fill: (text) => ({ ...own(), [text]: 1 }) };
  for (const [member, inside] of Object.entries<Json>(schema.properties ?? {})) {
    for (const { name: inner, fill } of walk(document, inside, `${name}.${member}`)) {
      yield { name: inner, fill: (text) => ({ ...own(), [member]: fill(text) }) };
    }
  }
}

/** The smallest value that a schema allows; ids are marked for the sender. */
function makeSample(document: Json, given: Json, name: string): Json {
  const schema = resolve(document, given);
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices !== undefined) return makeSample(document, choices[0], name);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.type === "array") {
    return Array.from({ length: schema.minItems ?? 0 }, (_, place) =>
      name === "colors" ? (COLORS[place] ?? "") : makeSample(document, schema.items, name),
    );
  }
  if (schema.type === "boolean") return false;
  if (schema.type === "integer" || schema.type === "number") return schema.minimum ?? 0;
  if (schema.type === "object") {
    const members: string[] = [...(schema.required ?? [])];
    // The code may stand in a header instead, so the schema does not require it.
    if (schema.properties?.enrollment_code !== undefined) members.push("enrollment_code");
    return Object.fromEntries(
      members.map((member) => [member, makeSample(document, schema.properties[member], member)]),
    );
  }
  if (/_id$|^enrollment_code$/.test(name)) return `{${name}}`;
  return SAMPLES[name] ?? (name.endsWith("url") ? "https://a.example/" : "Text");
}

const SAMPLES: Record<string, string> = { entries: "{creation_id}", slug: "text" };
const COLORS = ["#0b3d5c", "#e8f1f5"];

function resolve(document: Json, schema: Json): Json {
  if (schema.$ref === undefined) return schema;
  const parts: string[] = schema.$ref.slice(2).split("/");
  return parts.reduce((inside, part) => inside[part.replaceAll("~1", "/").replaceAll("~0", "~")], document);
}
