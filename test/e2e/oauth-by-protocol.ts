import * as oauth from "oauth4webapi";
import { COMMAND_LINE } from "../../shared/identity/audit/record-act.ts";
import { addClient } from "../../shared/identity/oauth/clients.ts";
import type { Json } from "../support/agent.ts";
import type { OAuthStage } from "../support/oauth-stage.ts";

const INSECURE = { [oauth.allowInsecureRequests]: true };

/**
 * Connects as the protocol alone has it, each answer checked by oauth4webapi: from the challenge of the tool server to
 * a renewed token.
 */
export async function connectByProtocol(stage: OAuthStage, handle: string) {
  const resource = new URL(`${stage.site}/mcp/agent`);
  const { redirectUri } = stage;
  const { client_id } = await addClient(stage.service.deps, COMMAND_LINE, {
    name: "Operator Client",
    redirectUris: ["http://127.0.0.1/callback"],
  });
  const client: oauth.Client = { client_id, token_endpoint_auth_method: "none" };
  const server = await discover(resource);
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const url = new URL(server.authorization_endpoint ?? "");
  url.search = new URLSearchParams({
    ...{ client_id, redirect_uri: redirectUri, response_type: "code", state, resource: resource.href },
    ...{ scope: server.scopes_supported?.join(" ") ?? "", code_challenge_method: "S256" },
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
  }).toString();
  const answer = await stage.allow(url.href, handle);
  const parameters = oauth.validateAuthResponse(server, client, answer, state);
  const granted = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    oauth.None(),
    parameters,
    redirectUri,
    verifier,
    { ...INSECURE, additionalParameters: { resource: resource.href } },
  );
  const first = await oauth.processAuthorizationCodeResponse(server, client, granted);
  const renewed = await oauth.refreshTokenGrantRequest(
    server,
    client,
    oauth.None(),
    first.refresh_token ?? "",
    INSECURE,
  );
  const { access_token: token } = await oauth.processRefreshTokenResponse(server, client, renewed);
  return { token: () => token, call: (name: string, args: object = {}) => call(resource, token, name, args) };
}

async function discover(resource: URL): Promise<oauth.AuthorizationServer> {
  const protectedBy = await oauth.processResourceDiscoveryResponse(
    resource,
    await oauth.resourceDiscoveryRequest(resource, INSECURE),
  );
  const issuer = new URL(protectedBy.authorization_servers?.[0] ?? "");
  const told = await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...INSECURE });
  return await oauth.processDiscoveryResponse(new URL(issuer), told);
}

async function call(resource: URL, token: string, name: string, args: object): Promise<Json> {
  const headers = new Headers({
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  });
  const body = JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name, arguments: args },
  });
  const reply = await oauth.protectedResourceRequest(token, "POST", resource, headers, body, INSECURE);
  const { result }: Json = await reply.json();
  if (result.isError) throw new Error(result.content[0].text);
  return JSON.parse(result.content[0].text);
}
