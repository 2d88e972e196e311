import type { z } from "zod";
import { briefSchema } from "./brief.ts";
import { collectionSchema } from "./collection.ts";
import { datasetSchema } from "./dataset.ts";
import { externalProjectSchema } from "./external-project.ts";
import { fileSchema } from "./file.ts";
import type { PayloadOptions } from "./options.ts";
import { storySchema } from "./story.ts";

/** Every creation type with the schema of its payload. */
export function payloadSchemas(options: PayloadOptions) {
  return {
    story: storySchema(options),
    dataset: datasetSchema(options),
    collection: collectionSchema(options),
    external_project: externalProjectSchema(options),
    brief: briefSchema(options),
    file: fileSchema(options),
  };
}

type PayloadSchemas = ReturnType<typeof payloadSchemas>;
export type CreationType = keyof PayloadSchemas;

/** The payloads by type, exactly as they are emitted and checksummed. */
export type PayloadByType = { [Type in CreationType]: z.output<PayloadSchemas[Type]> };
export type Payload = PayloadByType[CreationType];

/** A payload with its type. */
export type TypedPayload = {
  [Type in CreationType]: { type: Type; payload: PayloadByType[Type] };
}[CreationType];

/** The creation types in the order of the specification. */
export const CREATION_TYPES = [
  "story",
  "dataset",
  "collection",
  "external_project",
  "brief",
  "file",
] as const satisfies readonly CreationType[];

/** The names of types before they were renamed, with the names in force. */
export const FORMER_TYPES: ReadonlyMap<unknown, CreationType> = new Map([
  ["article", "story"],
  ["status", "brief"],
]);
