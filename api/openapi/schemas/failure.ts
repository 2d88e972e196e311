import { z } from "zod";
import { ERROR_STATUS, type ErrorCode } from "../../../shared/ground/errors.ts";
import { address } from "./members.ts";

const codes = [...Object.keys(ERROR_STATUS), "http_error"] as ErrorCode[];

/** The body of every refusal; not closed in the document, as each refusal there adds its codes to it. */
export const Failure = z
  .strictObject({
    message: z.string(),
    code: z.enum(codes).describe("Stable: decide by this, not by the message."),
    errors: z.record(z.string(), z.array(z.string())).describe("Sentences by field; empty but for 422."),
    hint: z.string().nullable(),
    docs_url: address,
    request_id: z.string(),
  })
  .meta({ additionalProperties: true });
