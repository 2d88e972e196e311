import { cosignCheckpoint, readCosigned } from "../../../shared/trust/witness/cosign-checkpoint.ts";
import { listWitnessKeys } from "../../../shared/trust/witness/witnessed-logs.ts";
import type { RouteGroup } from "../../http/context.ts";
import { UNPROVEN_BODY_BYTES } from "../../http/hooks/json-bodies.ts";
import { groupAddress } from "../../http/hooks/rate-limits.ts";
import { allowOtherOrigins } from "../../http/public-route.ts";
import { answersAs, openPublicRoutes } from "../open-public-routes.ts";

const TEXT = "text/plain; charset=utf-8";

/** What logs of other sites ask of this one as their witness (c2sp.org/tlog-witness); nothing where it is none. */
export const addWitnessRoutes: RouteGroup = (app, context) => {
  const { deps, rateLimits } = context;
  if (!deps.config.isWitness) return;
  app.register(async (witness) => {
    witness.removeAllContentTypeParsers();
    // Logs send it as whatever their library says.
    witness.addContentTypeParser("*", { parseAs: "string" }, async (_request: unknown, body: string) => body);
    witness.post("/witness/add-checkpoint", { bodyLimit: UNPROVEN_BODY_BYTES }, async (request, reply) => {
      allowOtherOrigins(reply);
      reply.header("cache-control", "no-store");
      await rateLimits.take("witness", groupAddress(request.ip), reply);
      const answer = await cosignCheckpoint(deps, typeof request.body === "string" ? request.body : "");
      if ("line" in answer) return reply.type(TEXT).send(answer.line);
      return reply.status(409).type("text/x.tlog.size").send(`${answer.size}\n`);
    });
  });
  const add = openPublicRoutes(app, context, { bucket: "log", cacheSeconds: 2 });
  add("/witness/vkey", {
    ...answersAs("text/plain", "The verifier keys of this site as a witness"),
    handle: async () => ({
      type: TEXT,
      body: (await listWitnessKeys(deps)).map((vkey) => `${vkey}\n`).join(""),
    }),
  });
  add("/witness/:hash/checkpoint", {
    ...answersAs("text/plain", "The checkpoint of a log that this site cosigned last"),
    handle: async ({ params }) => ({ type: TEXT, body: await readCosigned(deps, params.hash ?? "") }),
  });
};
