import type { FastifyInstance } from "fastify";
import { httpError, Refusal } from "../../shared/errors.ts";

export const JSON_BODY_BYTES = 2 * 1024 * 1024;
const MAX_DEPTH = 64;
const decoder = new TextDecoder("utf-8", { fatal: true });

/**
 * Reads JSON bodies strictly: UTF-8 only, at most 64 levels deep (a deeper one could overflow the stack of whatever
 * walks it). An empty body is no body.
 */
export function addJsonBodies(app: FastifyInstance): void {
  app.removeContentTypeParser(["application/json", "text/plain"]);
  app.addContentTypeParser(
    "application/json",
    { parseAs: "buffer", bodyLimit: JSON_BODY_BYTES },
    async (_request: unknown, body: Buffer) => readJson(body),
  );
}

/** The value of a JSON body; throws 400 for what is not UTF-8, not JSON or nested too deeply. */
export function readJson(body: Buffer): unknown {
  if (body.length === 0) return undefined;
  if (isTooDeep(body)) throw httpError(400, `The body is nested more than ${MAX_DEPTH} levels deep.`);
  try {
    const text = decoder.decode(body);
    return JSON.parse(text, MAY_NAME_PROTOTYPE.test(text) ? refusePrototype : undefined);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw httpError(400, "The body is not valid JSON in UTF-8.");
  }
}

// An escaped underscore hides the name from a plain search.
const MAY_NAME_PROTOTYPE = /__proto__|\\u005f/i;

/** Copied into another object, a member of this name would change what that object is instead of being one more. */
function refusePrototype(key: string, value: unknown): unknown {
  if (key === "__proto__") throw httpError(400, "The body has a member __proto__, which no request has.");
  return value;
}

function isTooDeep(body: Buffer): boolean {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < body.length; index++) {
    const byte = body[index];
    if (inString) {
      if (byte === 0x5c) index++;
      else if (byte === 0x22) inString = false;
    } else if (byte === 0x22) inString = true;
    else if (byte === 0x5b || byte === 0x7b) {
      if (++depth > MAX_DEPTH) return true;
    } else if (byte === 0x5d || byte === 0x7d) depth--;
  }
  return false;
}
