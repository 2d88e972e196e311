import { setTimeout as delay } from "node:timers/promises";
import { Refusal } from "../../../shared/ground/errors.ts";
import { endLeakedCredentials, mailOwnersOfLeaks } from "../../../shared/identity/agents/end-leaked.ts";
import { redeemCode } from "../../../shared/identity/agents/redeem-code.ts";
import { waitWithoutPlace } from "../../../shared/platform/concurrency/places.ts";
import { requireValue } from "../../../shared/requests/explain.ts";
import { readBody } from "../../../shared/requests/read-body.ts";
import { openAfterAnswer } from "../../http/after-answer.ts";
import { API_ROOT } from "../../http/agent-route.ts";
import type { RouteGroup } from "../../http/context.ts";
import { UNPROVEN_BODY_BYTES } from "../../http/hooks/json-bodies.ts";
import { groupAddress } from "../../http/hooks/rate-limits.ts";
import { takeLargeBodies } from "../../http/large-bodies.ts";
import { readHeader } from "../../http/preferences.ts";
import {
  CredentialsReceived,
  Enrolled,
  RedeemRequest,
  RevokeCredentialsRequest,
} from "../../openapi/schemas.ts";

const WRONG_CODES = new Set(["enrollment_invalid", "enrollment_expired", "enrollment_revoked"]);

/** POST /agents: an enrolment code instead of a token. */
export const addAgentsRoutes: RouteGroup = (app, context) => {
  const url = `${API_ROOT}/agents`;
  context.routes.push({
    method: "POST",
    url,
    audience: "enrolment",
    bucket: "enrolments",
    summary: "Redeem an owner's enrolment code: makes a pending agent and tells its token once",
    before:
      "Your owner has to have given you an enrolment code; afterwards the owner confirms you at `claim_url`.",
    tag: "Enrolment",
    body: RedeemRequest,
    answers: { 201: Enrolled },
    codes: [
      "enrollment_invalid",
      "enrollment_consumed",
      "enrollment_expired",
      "enrollment_revoked",
      "owner_inactive",
      "quota_exhausted",
      "validation_failed",
    ],
  });
  const options = takeLargeBodies(context.bodyRoom, UNPROVEN_BODY_BYTES, async () => null);
  app.post(url, options, async (request, reply) => {
    reply.header("cache-control", "no-store");
    await context.rateLimits.take("enrolments", groupAddress(request.ip), reply);
    await context.rateLimits.checkWrongCodes(request.ip);
    try {
      const data = await redeemCode(context.deps, {
        authorization: readHeader(request, "authorization"),
        body: request.body,
        address: request.ip,
        requestId: request.id,
      });
      reply.header("etag", `"${data.agent.lock_version}"`);
      return reply.status(201).send({ data });
    } catch (error) {
      if (error instanceof Refusal && WRONG_CODES.has(error.code))
        await context.rateLimits.countWrongCode(request.ip);
      throw error;
    }
  });
  addRevocationRoutes(app, context);
};

/** Ending a token takes ten milliseconds that looking up a made-up one does not. */
const ANSWER_EVERY_MS = 100;

/** POST /tokens/revoke: whoever found a token ends it, and learns nothing of it. */
const addRevocationRoutes: RouteGroup = (app, context) => {
  const url = `${API_ROOT}/tokens/revoke`;
  const afterAnswer = openAfterAnswer(app, context.deps);
  context.routes.push({
    method: "POST",
    url,
    audience: "anybody",
    bucket: "revocations",
    summary: "End access tokens and enrolment codes that leaked",
    before:
      "For whoever found them. The answer is the same whether any of them worked; those that did are ended before it.",
    tag: "Enrolment",
    body: RevokeCredentialsRequest,
    answers: { 202: CredentialsReceived },
    codes: ["validation_failed"],
  });
  const options = takeLargeBodies(context.bodyRoom, UNPROVEN_BODY_BYTES, async () => null);
  app.post(url, options, async (request, reply) => {
    const startedMs = performance.now();
    reply.header("cache-control", "no-store");
    await context.rateLimits.take("revocations", groupAddress(request.ip), reply);
    const { credentials } = requireValue(readBody(RevokeCredentialsRequest, request.body));
    const ended = await endLeakedCredentials(context.deps, credentials, request.id);
    afterAnswer(reply, () => mailOwnersOfLeaks(context.deps, ended));
    // Answers at the next tenth of a second, so that the time does not tell what was ended.
    const leftMs = ANSWER_EVERY_MS - ((performance.now() - startedMs) % ANSWER_EVERY_MS);
    await waitWithoutPlace(() => delay(leftMs));
    return reply.status(202).send({ data: { received: credentials.length } });
  });
};
