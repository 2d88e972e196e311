import { type ClientRow, findClient, saveClient } from "../../../sql/identity/oauth-grants.ts";
import { refuseField } from "../../ground/errors.ts";
import type { Deps } from "../../platform/deps.ts";
import { isRecord } from "../../requests/read-body.ts";
import { type Actor, makeAct, recordAct } from "../audit/record-act.ts";
import { isDocumentAddress, readClientDocument, readClientName } from "./client-document.ts";
import { OAuthError } from "./parameters.ts";
import { describeRedirect, readRedirect } from "./redirects.ts";

const MOST_REDIRECTS = 20;

/**
 * The client of an id: described by the document at that address, registered, or entered by an operator. A document is
 * read again once it is old. Throws `invalid_client` where there is none; `mayFetch` throws over a limit.
 */
export async function openClient(deps: Deps, id: string, mayFetch: () => Promise<void>): Promise<ClientRow> {
  const known = id.length <= 2048 ? await findClient(deps.pool, id) : null;
  if (known !== null && (known.fresh_until === null || known.fresh_until > deps.now())) return known;
  if (!isDocumentAddress(id)) {
    throw new OAuthError(
      "invalid_client",
      "This client is not known here, or no longer. It has to register again.",
    );
  }
  await mayFetch();
  const document = await readClientDocument(deps, id);
  return await saveClient(deps.pool, { id, kind: "document", ...document, created_at: deps.now() });
}

/** POST /oauth/register: adds a client that knows nothing newer; it is forgotten after a day without a consent. */
export async function registerClient(deps: Deps, body: unknown) {
  if (!isRecord(body)) {
    throw new OAuthError("invalid_client_metadata", "The body must be a JSON object.");
  }
  const { redirect_uris: sent, client_name: name } = body;
  const redirect_uris = readRegisteredRedirects(sent);
  const nowMs = deps.now();
  const fallback = describeRedirect(redirect_uris[0] ?? "").host;
  const row = await saveClient(deps.pool, {
    ...{ id: deps.newId(), kind: "registered", name: readClientName(name) ?? fallback },
    ...{ redirect_uris, created_at: nowMs, fresh_until: null },
  });
  return {
    client_id: row.id,
    client_id_issued_at: Math.floor(nowMs / 1000),
    client_name: row.name,
    redirect_uris: row.redirect_uris,
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
  };
}

/** Enters a client that an operator vouches for; throws 422 on `name` or `redirect`. */
export async function addClient(
  deps: Deps,
  actor: Actor,
  wanted: { name: string; redirectUris: readonly string[] },
) {
  const name = readClientName(wanted.name);
  if (name === null) throw refuseField("name", "The name must be one line that can be read.");
  if (wanted.redirectUris.length > MOST_REDIRECTS) {
    throw refuseField("redirect", `A client has at most ${MOST_REDIRECTS} redirect addresses.`);
  }
  const broken = wanted.redirectUris.find((uri) => readRedirect(uri) === null);
  if (broken !== undefined) throw refuseField("redirect", REDIRECT_FAULT);
  const nowMs = deps.now();
  const id = deps.newId();
  return await deps.pool.transaction(async (tx) => {
    const redirect_uris = [...wanted.redirectUris];
    const dates = { created_at: nowMs, fresh_until: null };
    const row = await saveClient(tx, { id, kind: "operator", name, redirect_uris, ...dates });
    await recordAct(tx, actor, makeAct("client", id, "client.add", { detail: { name } }), nowMs);
    return { client_id: id, name: row.name, redirect_uris: row.redirect_uris };
  });
}

const REDIRECT_FAULT =
  "A redirect address is https, http on localhost, 127.0.0.1 or [::1], or has a private scheme with a dot in its name, such as com.example.app:/callback; without # and credentials.";

function readRegisteredRedirects(sent: unknown): string[] {
  if (!Array.isArray(sent) || sent.length === 0 || sent.length > MOST_REDIRECTS) {
    throw new OAuthError(
      "invalid_redirect_uri",
      `The redirect_uris must be a list of 1 to ${MOST_REDIRECTS} addresses.`,
    );
  }
  return sent.map((uri) => {
    if (typeof uri === "string" && readRedirect(uri) !== null) return uri;
    throw new OAuthError("invalid_redirect_uri", REDIRECT_FAULT);
  });
}
