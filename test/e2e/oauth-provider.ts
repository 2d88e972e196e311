import { randomUUID } from "node:crypto";
import type { Json } from "../support/agent.ts";
import type { OAuthStage } from "../support/oauth-stage.ts";

/** What a tool client asks of the program around it: it keeps secrets, and opens the browser. */
export interface TestProvider {
  redirectUrl: string;
  clientMetadata: Json;
  clientMetadataUrl?: string;
  state(): string;
  clientInformation(): Json;
  saveClientInformation(client: Json): void;
  tokens(): Json;
  saveTokens(tokens: Json): void;
  redirectToAuthorization(url: URL): void;
  saveCodeVerifier(verifier: string): void;
  codeVerifier(): string;
  /** Where the client sent its owner; "" for nowhere. */
  askedAt(): string;
  sentState(): string;
  held(): Json;
}

/** Opens the memory of a client: it registers, unless a document describes it. */
export function openProvider(
  { redirectUri }: Pick<OAuthStage, "redirectUri">,
  { documentUrl }: { documentUrl?: string },
): TestProvider {
  const held: { client?: Json; tokens?: Json; verifier: string; asked: string } = { verifier: "", asked: "" };
  const sent = randomUUID();
  return {
    redirectUrl: redirectUri,
    clientMetadata: {
      client_name: "Registered Client",
      redirect_uris: [redirectUri],
      grant_types: ["authorization_code", "refresh_token"],
      token_endpoint_auth_method: "none",
    },
    ...(documentUrl === undefined ? {} : { clientMetadataUrl: documentUrl }),
    state: () => sent,
    clientInformation: () => held.client,
    saveClientInformation(client) {
      held.client = client;
    },
    tokens: () => held.tokens,
    saveTokens(tokens) {
      held.tokens = tokens;
    },
    redirectToAuthorization(url) {
      held.asked = url.href;
    },
    saveCodeVerifier(verifier) {
      held.verifier = verifier;
    },
    codeVerifier: () => held.verifier,
    askedAt: () => held.asked,
    sentState: () => sent,
    held: () => held.tokens,
  };
}
