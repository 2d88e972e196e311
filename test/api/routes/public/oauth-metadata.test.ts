import { expect, test } from "vitest";
import { ABILITIES } from "../../../../shared/identity/credentials/abilities.ts";
import { request } from "../../../support/agent.ts";
import { REDIRECT, registerTestClient } from "../../../support/oauth.ts";
import { openService } from "../../../support/service.ts";
import { runSql } from "../../../support/tables.ts";

const SITE = "http://localhost:3000";

const service = await openService({ workers: false, limits: { registrationsPerHour: 40 } });

test("the authorization server's metadata is complete, of this issuer, and readable from elsewhere", async () => {
  const reply = await request(service, { method: "GET", url: "/.well-known/oauth-authorization-server" });
  expect(reply.headers["access-control-allow-origin"]).toBe("*");
  expect(reply.json).toEqual({
    issuer: SITE,
    authorization_endpoint: `${SITE}/oauth/authorize`,
    token_endpoint: `${SITE}/oauth/token`,
    revocation_endpoint: `${SITE}/oauth/revoke`,
    registration_endpoint: `${SITE}/oauth/register`,
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    revocation_endpoint_auth_methods_supported: ["none"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    code_challenge_methods_supported: ["S256"],
    token_endpoint_auth_methods_supported: ["none"],
    scopes_supported: [...ABILITIES, "offline_access"],
    client_id_metadata_document_supported: true,
    authorization_response_iss_parameter_supported: true,
  });
});

test.each(["", "/mcp", "/mcp/agent", "/mcp/", "/mcp/agent/"])(
  "the metadata of the resource %j names that very address",
  async (path) => {
    const reply = await request(service, {
      method: "GET",
      url: `/.well-known/oauth-protected-resource${path}`,
    });
    expect(reply.json).toEqual({
      resource: `${SITE}${path}`,
      authorization_servers: [SITE],
      scopes_supported: ABILITIES,
      bearer_methods_supported: ["header"],
      resource_documentation: `${SITE}/docs/connect`,
    });
    expect(reply.headers["access-control-allow-origin"]).toBe("*");
  },
);

test.each(["/mcp/readonly", "/mcp/readonly/"])("the metadata of %s names no way to a token", async (path) => {
  const url = `/.well-known/oauth-protected-resource${path}`;
  expect((await request(service, { method: "GET", url })).json).toEqual({
    resource: `${SITE}${path}`,
    resource_name: "Broadsheet, reading",
    resource_documentation: `${SITE}/docs/tools`,
  });
});

test.each([
  ["/.well-known/oauth-authorization-server", "GET"],
  ["/.well-known/oauth-protected-resource/mcp/agent", "GET"],
  ["/oauth/token", "POST"],
  ["/oauth/revoke", "POST"],
  ["/oauth/register", "POST"],
])("a page of another origin may ask for %s with the headers of a tool client", async (url, method) => {
  const headers = {
    origin: "https://app.example.org",
    "access-control-request-method": method,
    "access-control-request-headers": "content-type,mcp-protocol-version",
  };
  const reply = await request(service, { method: "OPTIONS", url, headers });
  expect([reply.status, reply.headers["access-control-allow-origin"]]).toEqual([204, "*"]);
  expect(reply.headers["access-control-allow-methods"]).toContain(method);
  expect(reply.headers["access-control-allow-headers"]).toMatch(/Content-Type, MCP-Protocol-Version/);
  expect(reply.headers["access-control-allow-credentials"]).toBeUndefined();
});

const register = (payload: object | string) =>
  request(service, {
    method: "POST",
    url: "/oauth/register",
    headers: { "content-type": "application/json" },
    payload,
  });

test("a client registers with what it can have, whatever else it asks for", async () => {
  const reply = await register({
    ...{ client_name: "  Tide\u202e Bot  ", redirect_uris: [REDIRECT, "cursor://anysphere/callback"] },
    ...{
      grant_types: ["implicit"],
      token_endpoint_auth_method: "client_secret_basic",
      logo_uri: "https://x.example/",
    },
  });
  expect([reply.status, reply.headers["cache-control"]]).toEqual([201, "no-store"]);
  expect(reply.json).toEqual({
    client_id: expect.stringMatching(/^\w{26}$/),
    client_id_issued_at: service.clock.nowMs / 1000,
    client_name: "Tide Bot",
    redirect_uris: [REDIRECT, "cursor://anysphere/callback"],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
  });
});

test.each(["http://app.example.org/callback", "https://app.example.org/callback#fragment"])(
  "the redirect address %s is refused",
  async (uri) => {
    const reply = await register({ redirect_uris: [REDIRECT, uri] });
    expect([reply.status, reply.json.error]).toEqual([400, "invalid_redirect_uri"]);
  },
);

test.each([
  [{}, "invalid_redirect_uri"],
  [{ redirect_uris: [] }, "invalid_redirect_uri"],
  [{ redirect_uris: "x" }, "invalid_redirect_uri"],
  [[], "invalid_client_metadata"],
  ["{", "invalid_request"],
])("the registration %j is refused in OAuth's form", async (body, error) => {
  const reply = await register(body);
  expect([reply.status, reply.json.error, typeof reply.json.error_description]).toEqual([
    400,
    error,
    "string",
  ]);
});

test("a client that no owner connected within a day is forgotten", async () => {
  const { sweepExpiredRows } = await import("../../../../shared/care/sweeps.ts");
  const id = await registerTestClient(service);
  const isKnown = async () =>
    (await runSql(service, "SELECT 1 FROM oauth_clients WHERE id = $1", [id])).length === 1;
  service.clock.nowMs += 86_399_000;
  await sweepExpiredRows(service.deps);
  expect(await isKnown()).toBe(true);
  service.clock.nowMs += 1_000;
  await sweepExpiredRows(service.deps);
  expect(await isKnown()).toBe(false);
});

test("over its limit an address is told when to come again, in OAuth's form", async () => {
  const replies = [];
  for (let sent = 0; sent < 41; sent++) replies.push(await register({ redirect_uris: [REDIRECT] }));
  const last = replies.at(-1);
  expect([last?.status, last?.json.error]).toEqual([429, "temporarily_unavailable"]);
  expect(Number(last?.headers["retry-after"])).toBeGreaterThan(0);
  expect(last?.headers["access-control-allow-origin"]).toBe("*");
});
