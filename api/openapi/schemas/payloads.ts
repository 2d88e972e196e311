import type { z } from "zod";
import { createRequestSchema, DEFAULT_PAYLOAD_OPTIONS } from "../../../shared/payload/parse.ts";

/** POST /creations: one form a type. */
export const CreateCreationRequest = createRequestSchema(DEFAULT_PAYLOAD_OPTIONS);

const payloads = CreateCreationRequest.options.map(({ shape }) => [shape.type.value, shape.payload] as const);
const [first, ...others] = payloads.map(([, payload]) => payload);
if (first === undefined) throw new Error("there is no creation type");

/** The payloads of all types, for the places that take any of them. */
export const payloadChoices = [first, ...others] as const;

/** The payloads by the names that the documentation gives them, such as ExternalProjectPayload. */
export const namedPayloads: Record<string, z.ZodType> = Object.fromEntries(
  payloads.map(([type, payload]) => [`${toPascalCase(type)}Payload`, payload]),
);

function toPascalCase(type: string): string {
  return type.replace(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase());
}
