export interface Operation {
  operationId: string;
  parameters: { $ref?: string; name?: string; in?: string; required?: boolean }[];
  requestBody?: { content: Record<string, unknown> };
  responses: Record<string, { $ref?: string; headers?: object; content?: Record<string, Body> }>;
  security: object[];
  "x-ability"?: string;
}
export interface Body {
  schema?: { allOf?: { $ref?: string; properties?: { code: { enum: string[] } } }[]; type?: string };
  examples?: Record<string, { $ref: string }>;
}
export interface Document {
  openapi: string;
  info: { description: string };
  externalDocs: { url: string };
  tags: { name: string; description: string; externalDocs: { url: string } }[];
  servers: { url: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: Record<string, Record<string, unknown>>;
}

export function listOperations(document: Document): (Operation & { key: string })[] {
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      key: `${method.toUpperCase()} ${path}`,
      ...operation,
    })),
  );
}

export function find(document: Document, key: string): Operation {
  const operation = listOperations(document).find((entry) => entry.key === key);
  if (operation === undefined) throw new Error(`the document lacks ${key}`);
  return operation;
}

export function listCodes(document: Document, key: string, status: number): string[] {
  const { $ref, content } = find(document, key).responses[status] ?? {};
  const answer =
    $ref === undefined ? { content } : (resolve(document, $ref) as { content: Record<string, Body> });
  return answer.content?.["application/json"]?.schema?.allOf?.[1]?.properties?.code.enum ?? [];
}

export function resolve(document: Document, ref: string): unknown {
  return ref
    .replace("#/", "")
    .split("/")
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce<unknown>((value, part) => (value as Record<string, unknown> | undefined)?.[part], document);
}

export function listRefs(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    name === "$ref" && typeof member === "string" ? [member] : listRefs(member),
  );
}

/** References with something beside them that programs leave out, or take for a change of what is referred to. */
export function listRefsWithSiblings(value: unknown): unknown[] {
  if (typeof value !== "object" || value === null) return [];
  const { $ref, description: _, examples: __, ...others } = value as Record<string, unknown>;
  const found = typeof $ref === "string" && Object.keys(others).length > 0 ? [value] : [];
  return [...found, ...Object.values(value).flatMap(listRefsWithSiblings)];
}
