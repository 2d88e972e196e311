import type { FastifyInstance } from "fastify";
import type { CountedRead, ReadCounter } from "../../../shared/reading/view-counts/read-counter.ts";
import { currentInnerCall } from "../inner-calls.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The read that the answer to this request counts as, once it is sent; null where it is none. */
    countedRead: CountedRead | null;
  }
}

/** The statuses of answers that a reader has read: what was not changed since (304) counts as much as the whole. */
const READ: ReadonlySet<number> = new Set([200, 304]);

/** Counts the answers that are reads of open works; a tool's request counts by the User-Agent of its caller. */
export function addReadCounts(app: FastifyInstance, reads: ReadCounter): void {
  app.decorateRequest("countedRead", null);
  app.addHook("onResponse", (request, reply, done) => {
    done();
    const { countedRead, method, headers } = request;
    if (countedRead === null || method !== "GET" || !READ.has(reply.statusCode)) return;
    const call = currentInnerCall();
    reads.count(countedRead, call === undefined ? headers["user-agent"] : call.userAgent);
  });
}
