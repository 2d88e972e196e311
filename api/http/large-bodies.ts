import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest, preParsingAsyncHookHandler, RequestPayload } from "fastify";
import { type Budget, openBudget } from "../../shared/concurrency/budget.ts";
import { currentInnerCall } from "../mcp/inner-calls.ts";
import { JSON_BODY_BYTES, UNPROVEN_BODY_BYTES } from "../plugins/json-bodies.ts";

/** Proves who sends a request and returns the id under which its bytes count; throws the refusal. */
export type ProveSender = (request: FastifyRequest, reply: FastifyReply) => Promise<string>;

/** The route options of an address that takes large bodies from senders it knows. */
interface LargeBodyOptions {
  bodyLimit: number;
  preParsing: preParsingAsyncHookHandler;
}

const MOST_BYTES = 64 * 1024 * 1024;
/** Eight of the largest bodies, or a burst of a hundred long stories. */
const MOST_BYTES_OF_ONE = 16 * 1024 * 1024;
const WAIT_MS = 2_000;

/** Opens the room for large bodies that are arriving: beyond it they wait unread, for two seconds at most. */
export function openLargeBodies(): Budget {
  return openBudget({ most: MOST_BYTES, mostOfOne: MOST_BYTES_OF_ONE, waitMs: WAIT_MS });
}

/**
 * Lets a route take JSON bodies of 2 MiB. The first 64 KiB are read from anybody; before it reads more, the process
 * knows the sender and has room for the body. Else connections that send no more would each hold a large buffer.
 */
export function takeLargeBodies(budget: Budget, prove: ProveSender): LargeBodyOptions {
  return {
    bodyLimit: JSON_BODY_BYTES,
    preParsing: async (request, reply, payload) => {
      const length = readLength(request);
      // The body of a tool's own request is in memory already.
      if (length <= UNPROVEN_BODY_BYTES || currentInnerCall() !== undefined) return payload;
      const admit = async () => await budget.take(await prove(request, reply), length);
      return Readable.from(readAdmitted(payload, length, admit), { objectMode: false });
    },
  };
}

/** The length that a request names; the most there may be where it names none. */
function readLength({ headers }: FastifyRequest): number {
  const named = headers["content-length"];
  if (named !== undefined) return Number(named);
  return headers["transfer-encoding"] === undefined ? 0 : JSON_BODY_BYTES;
}

async function* readAdmitted(
  payload: RequestPayload,
  length: number,
  admit: () => Promise<() => void>,
): AsyncGenerator<Buffer> {
  // The stream must outlive a refusal: destroying it would end the connection before the answer.
  const chunks: AsyncIterable<Buffer> = payload.iterator({ destroyOnReturn: false });
  let release: (() => void) | null = null;
  let received = 0;
  try {
    if (length < JSON_BODY_BYTES) release = await admitOrDrop(chunks, admit);
    for await (const chunk of chunks) {
      received += chunk.length;
      if (received > UNPROVEN_BODY_BYTES) release ??= await admitOrDrop(chunks, admit);
      yield chunk;
    }
  } finally {
    release?.();
  }
}

/** Reads the rest of a refused body and keeps nothing of it, so that its sender is there to read the answer. */
async function admitOrDrop(
  chunks: AsyncIterable<Buffer>,
  admit: () => Promise<() => void>,
): Promise<() => void> {
  try {
    return await admit();
  } catch (refusal) {
    let dropped = 0;
    for await (const chunk of chunks) {
      dropped += chunk.length;
      if (dropped > JSON_BODY_BYTES) break;
    }
    throw refusal;
  }
}
