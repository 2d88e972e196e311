import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest, RequestPayload } from "fastify";
import { Refusal } from "../../shared/ground/errors.ts";
import { openBudget } from "../../shared/platform/concurrency/budget.ts";
import { JSON_BODY_BYTES, SMALL_BODY_BYTES, UNPROVEN_BODY_BYTES } from "./hooks/json-bodies.ts";
import { groupAddress } from "./hooks/rate-limits.ts";
import { currentInnerCall } from "./inner-calls.ts";

/** Returns the id under which a sender's bytes count, or null for anybody; throws where it is refused. */
export type ProveSender = (request: FastifyRequest, reply: FastifyReply) => Promise<string | null>;

/** The room for bodies that are arriving. */
export type BodyRoom = ReturnType<typeof openBodyRoom>;

const MIB = 1024 * 1024;
const WAIT_MS = 2_000;
/** Each holds what came with its headers. */
const MOST_WAITING = 64;
const MOST_DROPPING = 16;
const MOST_SENDERS = 128;

/** Opens the room: bodies beyond it wait unread, for two seconds at most. */
export function openBodyRoom() {
  const waiting = { waitMs: WAIT_MS, mostWaiting: MOST_WAITING };
  return {
    // One agent: two of the largest bodies, or forty long stories; the rest of a burst waits until they have come.
    ofAgents: openBudget({ most: 16 * MIB, mostOfOne: 4 * MIB, ...waiting }),
    // Of senders who are not known, by address.
    ofAnybody: openBudget({ most: 4 * MIB, mostOfOne: 2 * MIB, ...waiting }),
    // How many refused bodies are read to their end and dropped.
    dropping: 0,
    // Senders who are being looked for: each holds what came with its headers.
    senders: openBudget({ most: MOST_SENDERS, mostOfOne: MOST_SENDERS, waitMs: 0, mostWaiting: 0 }),
  };
}

/**
 * Lets a route take bodies of more than 16 KiB: 2 MiB of a sender whom it knows, 64 KiB of anybody. Before the process
 * reads on, there is room for the body: else connections that send no more would each hold a large buffer.
 */
export function takeLargeBodies(room: BodyRoom, bodyLimit: number, prove: ProveSender) {
  return {
    bodyLimit,
    preParsing: async (request: FastifyRequest, reply: FastifyReply, payload: RequestPayload) => {
      const length = readLength(request, bodyLimit);
      // The body of a tool's own request is in memory already.
      if (length <= SMALL_BODY_BYTES || currentInnerCall() !== undefined) return payload;
      const admit = async () =>
        await admitBody(room, request, length, await proveOne(room, request, reply, prove));
      return Readable.from(readAdmitted(room, payload, admit, isNamed(request)), { objectMode: false });
    },
  };
}

const isNamed = ({ headers }: FastifyRequest) => headers["content-length"] !== undefined;

function readLength(request: FastifyRequest, bodyLimit: number): number {
  if (isNamed(request)) return Number(request.headers["content-length"]);
  return request.headers["transfer-encoding"] === undefined ? 0 : bodyLimit;
}

/** A body that may come: its release, and the most that it may have. */
interface Admitted {
  release(): void;
  /** Infinite where the framework's own limit is the bound. */
  mostBytes: number;
}

async function proveOne(
  room: BodyRoom,
  request: FastifyRequest,
  reply: FastifyReply,
  prove: ProveSender,
): Promise<string | null> {
  const release = await room.senders.take("", 1);
  try {
    return await prove(request, reply);
  } finally {
    release();
  }
}

async function admitBody(
  room: BodyRoom,
  request: FastifyRequest,
  length: number,
  senderId: string | null,
): Promise<Admitted> {
  if (senderId !== null) {
    return { release: await room.ofAgents.take(senderId, length), mostBytes: Number.POSITIVE_INFINITY };
  }
  if (isNamed(request) && length > UNPROVEN_BODY_BYTES) throw UNPROVEN;
  const release = await room.ofAnybody.take(groupAddress(request.ip), UNPROVEN_BODY_BYTES);
  return { release, mostBytes: UNPROVEN_BODY_BYTES };
}

const UNPROVEN = new Refusal("http_error", "Without a valid token a body has at most 64 KiB.", {
  status: 413,
  hint: "Send Authorization: Bearer <ACCESS_TOKEN>; then a body has at most 2 MiB.",
});

async function* readAdmitted(
  room: BodyRoom,
  payload: RequestPayload,
  admit: () => Promise<Admitted>,
  isLengthKnown: boolean,
): AsyncGenerator<Buffer> {
  // The stream must outlive a refusal: destroying it would end the connection before the answer.
  const chunks: AsyncIterable<Buffer> = payload.iterator({ destroyOnReturn: false });
  let admitted: Admitted | null = null;
  let received = 0;
  try {
    if (isLengthKnown) admitted = await admit();
    for await (const chunk of chunks) {
      received += chunk.length;
      if (received > SMALL_BODY_BYTES) admitted ??= await admit();
      if (admitted !== null && received > admitted.mostBytes) throw UNPROVEN;
      yield chunk;
    }
  } catch (error) {
    if (error instanceof Refusal) await dropRest(room, payload, chunks);
    throw error;
  } finally {
    admitted?.release();
  }
}

/**
 * Reads the rest of a refused body and keeps nothing of it, so that its sender is there to read the answer. With many
 * such bodies the connections of the others end with their answers, and what comes until then is dropped too.
 */
async function dropRest(
  room: BodyRoom,
  payload: RequestPayload,
  chunks: AsyncIterable<Buffer>,
): Promise<void> {
  if (room.dropping >= MOST_DROPPING) {
    payload.on("data", freeChunk);
    return;
  }
  room.dropping++;
  try {
    let dropped = 0;
    for await (const chunk of chunks) {
      dropped += chunk.length;
      freeChunk(chunk);
      if (dropped > JSON_BODY_BYTES) break;
    }
  } finally {
    room.dropping--;
  }
}

/** Frees the memory of a chunk at once: by the next collection of garbage, a flood would have brought many more. */
function freeChunk({ buffer, byteLength }: Buffer): void {
  // Small chunks may share their memory.
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
