import type { RequestListener } from "node:http";
import type { FastifyInstance } from "fastify";
import type { Deps } from "../../../shared/platform/deps.ts";
import type { PageCache } from "../../../shared/reading/page-cache.ts";
import type { ReadCounter } from "../../../shared/reading/view-counts/read-counter.ts";
import type { PageAddresses } from "./addresses.ts";
import { mayOpenShortCut, mayTakeShortCut, type ProcessState } from "./hooks.ts";
import { openShortCutSend, respond } from "./respond.ts";
import type { CachedResponse } from "./response.ts";

interface Pages {
  deps: Deps;
  pageCache: PageCache<CachedResponse>;
  addresses: PageAddresses;
  reads: ReadCounter;
}

/**
 * Answers plain requests for cached pages before the framework sees them, which costs half as much. The page's version
 * is read all the same. Every other request goes the framework's way; `hooks.ts` says which, `PAGE_SHORT_CUT` turns this
 * off.
 */
export function addShortCut(app: FastifyInstance, pages: Pages, state: ProcessState): void {
  const { deps, pageCache, addresses, reads } = pages;
  if (!mayOpenShortCut(deps)) return;
  const [byFramework] = app.server.listeners("request") as RequestListener[];
  if (byFramework === undefined) throw new Error("the framework does not listen to its own server");
  const sendTo = openShortCutSend(deps, reads);
  const listener: RequestListener = (request, raw) => {
    const page = addresses.find(request.url ?? "");
    const beganMs = performance.now();
    if (page === undefined || !mayTakeShortCut(request, state, beganMs)) return byFramework(request, raw);
    state.reads.begin();
    const answerWith = (response: CachedResponse | null) => {
      const nowMs = performance.now();
      const tookMs = nowMs - beganMs;
      state.reads.end(tookMs, nowMs);
      try {
        if (response === null) return byFramework(request, raw);
        const to = { raw, userAgent: request.headers["user-agent"], route: page.route, tookMs };
        respond(request.headers, response, sendTo(to));
      } catch (err) {
        deps.log.error({ err }, "a cached page was not sent");
        raw.destroy();
      }
    };
    // Where the version cannot be read, the framework's way meets the failure again and answers it.
    pageCache.findCached(page.subject, page.name).then(answerWith, () => answerWith(null));
  };
  app.server.removeListener("request", byFramework);
  app.server.on("request", listener);
}
