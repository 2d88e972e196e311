import type { FastifyInstance } from "fastify";
import type { BlockedNetworks } from "../../../shared/care/moderation/blocked-networks.ts";
import { PROBES } from "../../../shared/ground/addresses.ts";
import { refuse } from "../../../shared/ground/errors.ts";
import { currentInnerCall } from "../inner-calls.ts";

/** Refuses requests from blocked networks before anything of them is read. */
export function addBlockedNetworks(app: FastifyInstance, networks: BlockedNetworks): void {
  app.addHook("onRequest", (request, _reply, done) => {
    if (PROBES.has(request.routePattern)) return done();
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
