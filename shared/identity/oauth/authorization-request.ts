import type { ClientRow } from "../../../sql/identity/oauth-grants.ts";
import type { Deps } from "../../platform/deps.ts";
import type { Ability } from "../credentials/abilities.ts";
import { openClient } from "./clients.ts";
import { checkResource, OAuthError, readAskedScope, readParameter, requireParameter } from "./parameters.ts";
import { answerAt, describeRedirect, matchesRedirect, type RedirectTarget } from "./redirects.ts";

/** What a client asks an owner for, with where the answer goes. */
export interface AuthorizationRequest {
  client: ClientRow;
  /** The host of the document that describes the client; null where nothing proves who it is. */
  clientHost: string | null;
  redirectUri: string;
  redirect: RedirectTarget;
  abilities: readonly Ability[];
  challenge: string;
  state: string | null;
}

/**
 * A request whose client and redirect address are proven: what is wrong with it is the answer there. The browser goes
 * there by itself only for a client that an operator entered, as anybody may describe one that leads anywhere.
 */
export interface FaultyRequest {
  answer: string;
  message: string;
  redirects: boolean;
}

const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;

/**
 * Reads a request for an owner's consent. Throws an `OAuthError` until the client and its redirect address are proven,
 * since an answer would otherwise go to whoever wrote the link.
 */
export async function readAuthorizationRequest(
  deps: Deps,
  parameters: Record<string, unknown>,
  mayFetch: () => Promise<void>,
): Promise<AuthorizationRequest | FaultyRequest> {
  const client = await openClient(deps, requireParameter(parameters, "client_id"), mayFetch);
  const redirectUri = readRedirectUri(client, readParameter(parameters, "redirect_uri"));
  try {
    const asked = readRest(deps, parameters);
    const clientHost = client.kind === "document" ? new URL(client.id).host : null;
    return { client, clientHost, redirectUri, redirect: describeRedirect(redirectUri), ...asked };
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    const { state } = parameters;
    const answer = answerWithError(deps, redirectUri, typeof state === "string" ? state : null, error);
    return { answer, message: error.message, redirects: client.kind === "operator" };
  }
}

/** The address of the answer that a client gets where its request or its owner's consent failed. */
export function answerWithError(
  deps: Deps,
  redirectUri: string,
  state: string | null,
  { code, message }: OAuthError,
): string {
  const iss = deps.config.siteUrl;
  return answerAt(redirectUri, { error: code, error_description: message, state, iss });
}

function readRedirectUri(client: ClientRow, sent: string | null): string {
  const [only] = client.redirect_uris;
  if (sent === null && only !== undefined && client.redirect_uris.length === 1)
    return readRedirectUri(client, only);
  if (sent === null) throw new OAuthError("invalid_request", "The parameter redirect_uri is missing.");
  if (client.redirect_uris.some((registered) => matchesRedirect(registered, sent))) return sent;
  throw new OAuthError(
    "invalid_request",
    "The redirect_uri is none of those that the client named, so nothing may be sent there.",
  );
}

function readRest({ config }: Deps, parameters: Record<string, unknown>) {
  const state = readParameter(parameters, "state");
  if (requireParameter(parameters, "response_type") !== "code") {
    throw new OAuthError("unsupported_response_type", "The response_type must be code.");
  }
  const mode = readParameter(parameters, "response_mode");
  if (mode !== null && mode !== "query") {
    throw new OAuthError("invalid_request", "The response_mode must be query.");
  }
  const challenge = requireParameter(parameters, "code_challenge");
  if (readParameter(parameters, "code_challenge_method") !== "S256") {
    throw new OAuthError("invalid_request", "The code_challenge_method must be S256.");
  }
  if (!CHALLENGE.test(challenge)) {
    throw new OAuthError(
      "invalid_request",
      "The code_challenge must be the SHA-256 of a verifier in base64url.",
    );
  }
  checkResource(config.siteUrl, parameters.resource);
  return { state, challenge, abilities: readAskedScope(readParameter(parameters, "scope")) };
}
