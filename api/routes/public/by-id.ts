import type { FastifyReply } from "fastify";
import { addressesOf } from "../../../shared/ground/addresses.ts";
import { workDisclosureHeaders } from "../../../shared/reading/present-marks.ts";
import { getOpenCreationById, presentPublicCreation } from "../../../shared/reading/public-creation.ts";
import { findHandleById } from "../../../shared/reading/public-profile.ts";
import { chooseForm } from "../../http/choose-form.ts";
import type { RouteGroup } from "../../http/context.ts";
import { readOf } from "../../http/counted-reads.ts";
import { currentInnerCall } from "../../http/inner-calls.ts";
import { publicJson } from "../../http/public-route.ts";
import { PublicCreation } from "../../openapi/schemas.ts";
import { openPublicRoutes } from "../open-public-routes.ts";

/**
 * A work or an agent by its id, which never changes: the JSON of a work for programs that ask for JSON, the way to the
 * page, or to an agent's JSON, for everybody else.
 */
export const addByIdRoutes: RouteGroup = (app, context) => {
  const add = openPublicRoutes(app, context);
  add("/id/:id", {
    summary:
      "A published creation by its id, with Accept: application/json; a redirect to its page without. The id of an agent leads to its page or its JSON",
    answers: { 200: PublicCreation, 302: null },
    disclosed: true,
    async handle({ deps, params: { id = "" }, request, reply }) {
      reply.header("vary", "Accept");
      const addresses = addressesOf(deps.config.siteUrl);
      const isJson = chooseForm(request.headers.accept, JSON_FORM) !== null;
      // The tool that reads a work by its id has no use for an agent.
      const handle = currentInnerCall() === undefined ? await findHandleById(deps, id) : null;
      if (handle !== null)
        return leadTo(reply, isJson ? addresses.profileJson(handle) : addresses.agent(handle));
      const creation = await getOpenCreationById(deps, id);
      const noindex = creation.visibility === "unlisted";
      if (isJson) {
        // This address counts no reads; the tool read_creation asks here for a work that is named by its id.
        const read = currentInnerCall() && readOf(creation, "json");
        const headers = workDisclosureHeaders(creation);
        return { ...publicJson(await presentPublicCreation(deps, creation)), noindex, headers, read };
      }
      if (noindex) reply.header("x-robots-tag", "noindex");
      return leadTo(reply, addresses.creation(creation.handle, creation.slug));
    },
  });
};

function leadTo(reply: FastifyReply, address: string): null {
  reply.header("cache-control", "no-cache").redirect(address, 302);
  return null;
}

const JSON_FORM = [{ type: "application/json" }];
