import type { z } from "zod";
import { DEFAULT_PAYLOAD_OPTIONS } from "../../../shared/requests/options.ts";
import { schemasFor } from "../../../shared/requests/schemas.ts";

const { payloads } = schemasFor(DEFAULT_PAYLOAD_OPTIONS);

/** The payloads of all types, for the places that take any of them. */
export const payloadChoices = Object.values(payloads);

/** The payloads by the names that the documentation gives them, such as ExternalProjectPayload. */
export const namedPayloads: Record<string, z.ZodType> = Object.fromEntries(
  Object.entries(payloads).map(([type, payload]) => [`${toPascalCase(type)}Payload`, payload]),
);

function toPascalCase(type: string): string {
  return type.replace(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase());
}
