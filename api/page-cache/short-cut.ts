import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { FastifyInstance } from "fastify";
import { hasTracing } from "../../shared/telemetry/tracing.ts";
import type { Door } from "../http/context.ts";
import { type FinishedAnswer, headersOf, isKnown, PAGE_CACHING } from "../http/response.ts";
import type { Pressure } from "../plugins/pressure.ts";
import { usualHeaders } from "../plugins/security-headers.ts";

/**
 * Answers plain requests for kept pages before the framework sees them, which costs half as much. The state is looked up
 * all the same; what is not plain, not kept, not as it was, or too much goes the usual way. Spans and a log of each
 * request are made on the usual way alone: where they are wanted, everything goes it.
 */
export function addKeptPages(app: FastifyInstance, door: Door, reads: Pressure): void {
  const { deps, stopping, addresses } = door;
  if (hasTracing() || deps.log.isLevelEnabled("debug")) return;
  const [usualWay] = app.server.listeners("request") as RequestListener[];
  if (usualWay === undefined) throw new Error("the framework does not listen to its own server");
  const headOf = openHeads(usualHeaders(deps));
  const send = (answer: FinishedAnswer, { headers }: Asked, response: ServerResponse) => {
    const isNew = !isKnown(headers, answer.etag, answer.lastModifiedMs);
    const status = isNew ? 200 : 304;
    response.writeHead(status, [...headOf(answer, status), "x-request-id", deps.newId()]);
    response.end(isNew ? answer.body : undefined);
    return status;
  };
  const listener: RequestListener = (request, response) => {
    const page = isPlain(request) ? addresses.find(request.url ?? "") : undefined;
    const beganMs = performance.now();
    if (page === undefined || stopping.isStopping || !reads.mayBegin(beganMs)) {
      return usualWay(request, response);
    }
    reads.begin();
    const answerWith = (answer: FinishedAnswer | null) => {
      const tookMs = performance.now() - beganMs;
      reads.end(tookMs);
      if (answer === null) return usualWay(request, response);
      const status = send(answer, request, response);
      deps.metrics.requests.add("GET", page.route, status, tookMs / 1_000);
    };
    door.finished
      .findKept(page.subject, page.name)
      // What is wrong with a look is told on the usual way, which meets it again.
      .catch(() => null)
      .then(answerWith)
      .catch((err) => {
        deps.log.error({ err }, "a cached page was not sent");
        response.destroy();
      });
  };
  app.server.removeListener("request", usualWay);
  app.server.on("request", listener);
}

type Asked = Pick<IncomingMessage, "headers">;

/** Nothing about it is for a hook to judge: no body, no odd version, no missing host. */
function isPlain({ method, httpVersion, headers }: IncomingMessage): boolean {
  return (
    method === "GET" &&
    httpVersion === "1.1" &&
    headers.host !== undefined &&
    headers["content-length"] === undefined &&
    headers["transfer-encoding"] === undefined &&
    headers["content-encoding"] === undefined
  );
}

/** The names and values that an answer goes out with, put together once for each kept answer and status. */
function openHeads(usual: Record<string, string>) {
  const heads = new WeakMap<FinishedAnswer, Record<200 | 304, string[]>>();
  const flatten = (headers: Record<string, string>) => Object.entries({ ...usual, ...headers }).flat();
  const make = (answer: FinishedAnswer) => {
    const known = { ...headersOf(answer), ...PAGE_CACHING };
    const bytes = String(answer.body.byteLength);
    return {
      200: flatten({ ...known, "content-type": answer.type, "content-length": bytes }),
      304: flatten(known),
    };
  };
  return (answer: FinishedAnswer, status: 200 | 304): readonly string[] => {
    const head = heads.get(answer) ?? make(answer);
    heads.set(answer, head);
    return head[status];
  };
}
