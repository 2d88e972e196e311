import type { FastifyInstance, FastifyRequest } from "fastify";
import { httpError, Refusal } from "../../../shared/ground/errors.ts";
import { findJsonFault, sayPlace } from "../../../shared/ground/json-syntax.ts";
import type { keepDigits } from "../../../shared/ground/raw-json.ts";

/** The most of a body whose sender is known: a story of 100,000 characters, however they are escaped, and more. */
export const JSON_BODY_BYTES = 2 * 1024 * 1024;
/** The most of a body that anybody may send to the tool server, or with an enrolment code. */
export const UNPROVEN_BODY_BYTES = 64 * 1024;
/** The most that is read without a look at who sends it, web forms too: 2,000 of them take 32 MiB. */
export const SMALL_BODY_BYTES = 16 * 1024;
const MAX_DEPTH = 64;
/** Items and members of all lists and objects together; the largest request that can be accepted has some hundreds. */
const MAX_VALUES = 10_000;
declare module "fastify" {
  interface FastifyContextConfig {
    /** How many values a JSON body may hold, where they are more than usual. */
    mostValues?: number;
    /** Whether the text of a JSON body is kept beside what it says. */
    keepsText?: boolean;
  }
  interface FastifyRequest {
    /** The text of a JSON body, of a route that keeps it: numbers have their digits there. */
    sentText: string;
  }
}

const decoder = new TextDecoder("utf-8", { fatal: true });

/**
 * Reads JSON bodies strictly: of at most 16 KiB unless their route takes large ones, UTF-8 only, at most 64 levels
 * deep (a deeper one could overflow the stack of its reader), of at most 10,000 values (2 MiB of small ones block the
 * process for a second). An empty body is no body.
 */
export function addJsonBodies(app: FastifyInstance): void {
  app.removeContentTypeParser(["application/json", "text/plain"]);
  app.decorateRequest("sentText", "");
  app.addContentTypeParser(
    "application/json",
    { parseAs: "buffer", bodyLimit: SMALL_BODY_BYTES },
    async (request: FastifyRequest, body: Buffer) => {
      // What is wrong is the address, whatever was sent there.
      if (request.is404) return undefined;
      const { mostValues, keepsText } = request.routeOptions.config;
      const read = readJson(body, { mostValues });
      if (keepsText === true) request.sentText = body.toString();
      return read;
    },
  );
}

/**
 * The value of a JSON body; throws 400 for what is not UTF-8, not JSON or nested too deeply. `revive` is for a body that
 * was read without it before.
 */
export function readJson(
  body: Buffer,
  { revive, mostValues }: { revive?: typeof keepDigits; mostValues?: number | undefined } = {},
): unknown {
  if (body.length === 0) return undefined;
  const fault = findShapeFault(body, mostValues);
  if (fault !== null) throw httpError(400, `The body ${fault}.`);
  const text = decode(body);
  try {
    return JSON.parse(text, revive ?? (MAY_NAME_PROTOTYPE.test(text) ? refusePrototype : undefined));
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw refuseText(text);
  }
}

function decode(body: Buffer): string {
  try {
    return decoder.decode(body);
  } catch {
    throw refuseBody("The body is not UTF-8.", "Send the text of the body in UTF-8.");
  }
}

/** The refusal of a text that is no JSON: where it goes wrong, and nothing of what stands there. */
function refuseText(text: string): Refusal {
  const fault = findJsonFault(text, "body");
  const where = fault === null ? "" : ` at ${sayPlace(text, fault.at)}: ${fault.reason}`;
  const hint = "Write the body with a JSON library, and send it again.";
  return refuseBody(`The body is not valid JSON${where}.`, hint);
}

function refuseBody(message: string, hint: string): Refusal {
  return new Refusal("http_error", message, { status: 400, hint });
}

// An escaped underscore hides the name from a plain search.
const MAY_NAME_PROTOTYPE = /__proto__|\\u005f/i;

/** Refuses a member that would replace an object's prototype when it is copied into the object. */
function refusePrototype(key: string, value: unknown): unknown {
  if (key === "__proto__") throw httpError(400, "The body has a member __proto__, which no request has.");
  return value;
}

const [QUOTE, COMMA, BACKSLASH] = [0x22, 0x2c, 0x5c];
const [LIST, LIST_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Why JSON is refused by its shape alone, before it is parsed; null for what may be parsed. */
export function findShapeFault(body: Buffer, mostValues: number = MAX_VALUES): string | null {
  let depth = 0;
  let commas = 0;
  for (let index = 0; index < body.length; index++) {
    const byte = body[index];
    if (byte === QUOTE) index = findEndOfText(body, index);
    else if (byte === LIST || byte === OBJECT) depth++;
    else if (byte === LIST_END || byte === OBJECT_END) depth--;
    else if (byte === COMMA) commas++;
    if (depth > MAX_DEPTH) return `is nested more than ${MAX_DEPTH} levels deep`;
    if (commas >= mostValues) return `holds more than ${mostValues} values`;
  }
  return null;
}

function findEndOfText(body: Buffer, start: number): number {
  let index = start + 1;
  while (index < body.length && body[index] !== QUOTE) index += body[index] === BACKSLASH ? 2 : 1;
  return index;
}
