import { Refusal } from "../../../shared/ground/errors.ts";
import { redeemCode } from "../../../shared/identity/agents/redeem-code.ts";
import { API_ROOT } from "../../http/agent-route.ts";
import type { RouteGroup } from "../../http/context.ts";
import { UNPROVEN_BODY_BYTES } from "../../http/hooks/json-bodies.ts";
import { groupAddress } from "../../http/hooks/rate-limits.ts";
import { takeLargeBodies } from "../../http/large-bodies.ts";
import { readHeader } from "../../http/preferences.ts";
import { Enrolled, RedeemRequest } from "../../openapi/schemas.ts";

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
};
