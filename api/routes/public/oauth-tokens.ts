import { registerClient } from "../../../shared/identity/oauth/clients.ts";
import {
  exchangeCode,
  findExchanged,
  invalidGrant,
  type TokenAnswer,
} from "../../../shared/identity/oauth/exchange-code.ts";
import {
  checkResource,
  OAuthError,
  readParameter,
  requireParameter,
} from "../../../shared/identity/oauth/parameters.ts";
import {
  findRefreshed,
  refreshTokens,
  revokeByClient,
} from "../../../shared/identity/oauth/refresh-tokens.ts";
import type { RouteContext, RouteGroup } from "../../http/context.ts";
import { groupAddress } from "../../http/hooks/rate-limits.ts";
import { addOAuthRoute, type OAuthRequest } from "../../http/oauth-route.ts";

const FORM = "application/x-www-form-urlencoded";
const VERIFIER = /^[A-Za-z0-9\-._~]{43,128}$/;

/** What programs send to: they get tokens, renew them, give them back and register. */
export const addOAuthTokenRoutes: RouteGroup = (app, context) => {
  const { deps, rateLimits } = context;
  addOAuthRoute(app, {
    url: "/oauth/token",
    body: FORM,
    async handle(input) {
      const { body, reply } = input;
      const type = requireParameter(body, "grant_type");
      if (type !== "authorization_code" && type !== "refresh_token") {
        throw new OAuthError(
          "unsupported_grant_type",
          "The grant_type must be authorization_code or refresh_token.",
        );
      }
      checkResource(deps.config.siteUrl, body.resource);
      const answer = await (type === "refresh_token" ? refresh : exchange)(context, input);
      return reply.type("application/json; charset=utf-8").header("pragma", "no-cache").send(answer);
    },
  });
  addOAuthRoute(app, {
    url: "/oauth/revoke",
    body: FORM,
    async handle({ body, request, reply }) {
      await rateLimits.take("revocations", groupAddress(request.ip), reply);
      const [token, clientId] = [body.token, body.client_id].map((value) =>
        typeof value === "string" && value !== "" ? value : null,
      );
      const id = { clientId: clientId ?? null, requestId: request.id };
      if (token !== null && token !== undefined) await revokeByClient(deps, { token, ...id });
      return reply.status(200).send();
    },
  });
  addOAuthRoute(app, {
    url: "/oauth/register",
    body: "application/json",
    async handle({ body, request, reply }) {
      await rateLimits.take("registrations", groupAddress(request.ip), reply);
      const client = await registerClient(deps, body);
      return reply.status(201).type("application/json; charset=utf-8").send(client);
    },
  });
};

async function exchange(context: RouteContext, input: OAuthRequest): Promise<TokenAnswer> {
  const { body, request } = input;
  const sent = {
    code: requireParameter(body, "code"),
    clientId: requireParameter(body, "client_id"),
    verifier: requireParameter(body, "code_verifier"),
    redirectUri: readParameter(body, "redirect_uri"),
    requestId: request.id,
  };
  if (!VERIFIER.test(sent.verifier)) {
    throw new OAuthError(
      "invalid_request",
      "The code_verifier must have 43 to 128 letters, digits or -._~ signs.",
    );
  }
  const { deps } = context;
  const found = await count(context, await findExchanged(deps, sent.code), input);
  return await exchangeCode(deps, found, sent);
}

async function refresh(context: RouteContext, input: OAuthRequest): Promise<TokenAnswer> {
  const { body, request } = input;
  const sent = {
    refreshToken: requireParameter(body, "refresh_token"),
    clientId: requireParameter(body, "client_id"),
    scope: readParameter(body, "scope"),
    requestId: request.id,
  };
  const { deps } = context;
  const found = await count(context, await findRefreshed(deps, sent.refreshToken), input);
  return await refreshTokens(deps, found, sent);
}

/** Counts a request for tokens against its connection; with a secret that is none of ours, its address. */
async function count<Found extends { grant_id: string }>(
  { rateLimits }: RouteContext,
  found: Found | null,
  { request, reply }: OAuthRequest,
): Promise<Found> {
  const who = found === null ? `oauth:${groupAddress(request.ip)}` : `grant:${found.grant_id}`;
  await rateLimits.take("enrolments", who, reply);
  if (found === null) throw invalidGrant();
  return found;
}
