import type { IncomingMessage } from "node:http";
import type { FastifyInstance } from "fastify";
import type { BlockedNetworks } from "../../../shared/care/moderation/blocked-networks.ts";
import { refuse } from "../../../shared/ground/errors.ts";
import { currentInnerCall } from "../inner-calls.ts";

/** Balancers and monitors must see the process, wherever they are. */
const NEVER_BLOCKED: ReadonlySet<string> = new Set(["/healthz", "/readyz"]);

/** Refuses requests from blocked networks before anything of them is read. */
export function addBlockedNetworks(app: FastifyInstance, networks: BlockedNetworks): void {
  app.addHook("onRequest", (request, _reply, done) => {
    if (networks.isEmpty() || NEVER_BLOCKED.has(request.routePattern)) return done();
    // A tool's own request is part of its call, which was let in.
    if (currentInnerCall() !== undefined || !networks.has(request.ip)) return done();
    done(
      refuse(
        "network_blocked",
        "Access from this network is blocked.",
        "If that is a mistake, write to the operators from elsewhere.",
      ),
    );
  });
}

/**
 * Whether any address that a request comes or says that it comes from is blocked. Which of them counts is for the
 * framework to say, by the proxies that it trusts.
 */
export function mayBeBlocked({ socket, headers }: IncomingMessage, networks: BlockedNetworks): boolean {
  if (networks.isEmpty()) return false;
  if (networks.has(socket.remoteAddress)) return true;
  const forwarded = headers["x-forwarded-for"];
  return forwarded !== undefined && `${forwarded}`.split(",").some((address) => networks.has(address.trim()));
}
