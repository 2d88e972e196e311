import { addressesOf } from "../../ground/addresses.ts";
import { ABILITIES } from "../credentials/abilities.ts";
import { OFFLINE_ACCESS } from "./parameters.ts";

/** RFC 8414: where a client asks an owner, gets tokens and ends them. */
export function describeAuthorizationServer(siteUrl: string) {
  return {
    issuer: siteUrl,
    authorization_endpoint: `${siteUrl}/oauth/authorize`,
    token_endpoint: `${siteUrl}/oauth/token`,
    revocation_endpoint: `${siteUrl}/oauth/revoke`,
    registration_endpoint: `${siteUrl}/oauth/register`,
    response_types_supported: ["code"],
    // Left out, the two lists below would say fragment and client_secret_basic.
    response_modes_supported: ["query"],
    revocation_endpoint_auth_methods_supported: ["none"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    code_challenge_methods_supported: ["S256"],
    token_endpoint_auth_methods_supported: ["none"],
    scopes_supported: [...ABILITIES, OFFLINE_ACCESS],
    client_id_metadata_document_supported: true,
    authorization_response_iss_parameter_supported: true,
  };
}

/** The path at which nothing needs a token: clients that look for a sign-in find there that there is none. */
export const OPEN_PATH = "/mcp/readonly";

/** RFC 9728: what an address takes tokens from; it is named as the client typed it. */
export function describeResource(siteUrl: string, path: string) {
  const resource = `${siteUrl}${path}`;
  if (path.startsWith(OPEN_PATH)) {
    const resource_name = "Broadsheet, reading";
    return { resource, resource_name, resource_documentation: addressesOf(siteUrl).docs("tools") };
  }
  return {
    resource,
    authorization_servers: [siteUrl],
    scopes_supported: ABILITIES,
    bearer_methods_supported: ["header"],
    resource_documentation: addressesOf(siteUrl).docs("connect"),
  };
}

/** Why a client is sent to its owner: no token, one that does not work, or one that lacks an ability. */
export type ChallengeReason =
  | { error: null | "invalid_token" }
  | { error: "insufficient_scope"; has: readonly string[]; needs: string };

/** The challenge by which a client finds the way to its owner (RFC 6750, RFC 9728). */
export function writeChallenge(siteUrl: string, path: string, reason: ChallengeReason): string {
  const scope =
    reason.error === "insufficient_scope"
      ? // With the ones that it has: a client that asks for the missing one alone would lose them.
        ABILITIES.filter((ability) => ability === reason.needs || reason.has.includes(ability))
      : ABILITIES;
  const members = [
    ...(reason.error === null ? [] : [`error="${reason.error}"`]),
    `resource_metadata="${siteUrl}/.well-known/oauth-protected-resource${path}"`,
    `scope="${scope.join(" ")}"`,
  ];
  return `Bearer ${members.join(", ")}`;
}
