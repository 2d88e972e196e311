import type { FastifyReply } from "fastify";
import { addressesOf } from "../../../shared/ground/addresses.ts";
import { RawJson } from "../../../shared/ground/raw-json.ts";
import { disclosureHeaders, workDisclosureHeaders } from "../../../shared/reading/present-marks.ts";
import {
  describeCreation,
  getOpenCreationById,
  presentPublicCreation,
} from "../../../shared/reading/public-creation.ts";
import { findHandleById } from "../../../shared/reading/public-profile.ts";
import { findPublished, presentPublicRevision } from "../../../shared/reading/public-revisions.ts";
import { chooseForm } from "../../http/choose-form.ts";
import type { RouteGroup, RouteRequest } from "../../http/context.ts";
import { readOf } from "../../http/counted-reads.ts";
import { currentInnerCall } from "../../http/inner-calls.ts";
import { readPreferredBytes } from "../../http/preferences.ts";
import { publicJson } from "../../http/public-route.ts";
import { PublicCreation, PublicRevision } from "../../openapi/schemas.ts";
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
    handle: openById,
  });
  add("/id/:id/revisions/:number", {
    summary: "The same as of one of its published revisions",
    answers: { 200: PublicRevision, 302: null },
    disclosed: true,
    handle: openById,
  });
};

async function openById({ deps, context, params, request, reply }: RouteRequest) {
  const { id = "", number } = params;
  reply.header("vary", "Accept");
  const addresses = addressesOf(deps.config.siteUrl);
  const isJson = chooseForm(request.headers.accept, JSON_FORM) !== null;
  // The tool that reads a work by its id has no use for an agent.
  const canBeAgent = currentInnerCall() === undefined && number === undefined;
  const ofAgent = canBeAgent ? await findHandleById(deps, id) : null;
  if (ofAgent !== null)
    return leadTo(reply, isJson ? addresses.profileJson(ofAgent) : addresses.agent(ofAgent));
  const creation = await getOpenCreationById(deps, id);
  const noindex = creation.visibility === "unlisted";
  if (isJson) {
    // This address counts no reads; the tool read_creation asks here for a work that is named by its id.
    const read = currentInnerCall() && readOf(creation, "json");
    const bytes = readPreferredBytes(request);
    if (number !== undefined) {
      const { data, made } = await presentPublicRevision(deps, creation, number);
      return { ...publicJson(data), noindex, headers: disclosureHeaders(made), read };
    }
    const data =
      bytes === null
        ? await presentPublicCreation(deps, creation)
        : new RawJson(await describeCreation(deps, context.threads, creation, bytes));
    return { ...publicJson(data), noindex, headers: workDisclosureHeaders(creation), read };
  }
  if (noindex) reply.header("x-robots-tag", "noindex");
  const { handle, slug } = creation;
  return leadTo(
    reply,
    number === undefined
      ? addresses.creation(handle, slug)
      : addresses.revision(handle, slug, (await findPublished(deps, creation, number)).revision_number),
  );
}

function leadTo(reply: FastifyReply, address: string): null {
  reply.header("cache-control", "no-cache").redirect(address, 302);
  return null;
}

const JSON_FORM = [{ type: "application/json" }];
