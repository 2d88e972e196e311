import type { FastifyReply, FastifyRequest } from "fastify";
import type { Logger } from "pino";
import { refuse } from "../../shared/ground/errors.ts";
import { hashSecret } from "../../shared/identity/credentials/tokens.ts";
import { relyingPartyOf } from "../../shared/identity/sign-in/passkeys.ts";
import { findSignedIn, type SignedIn } from "../../shared/identity/sign-in/sessions.ts";
import type { Config } from "../../shared/platform/config.ts";
import type { Deps } from "../../shared/platform/deps.ts";

/** The session cookie's name, and whether it is Secure, as it is wherever browsers accept that. */
export function sessionCookieOf(config: Config): { name: string; secure: boolean } {
  const { protocol, hostname } = new URL(config.siteUrl);
  const secure = protocol === "https:" || hostname === "localhost";
  return { name: secure ? "__Host-bs" : "bs", secure };
}

/** Logs at start the protection and the passkeys that owners lose by the site's address. */
export function warnOfAddress(config: Config, log: Logger): void {
  if (!sessionCookieOf(config).secure) {
    log.warn("SITE_URL is neither https nor localhost: browsers send the owners' session cookie unprotected");
  }
  if (relyingPartyOf(config) === null) {
    log.warn("SITE_URL holds an IP address, for which browsers make no passkeys: they are switched off");
  }
}

/** A signed-in request: its owner, and the secret that its forms are bound to. */
export interface ConsoleSession extends SignedIn {
  csrf: string;
}

/** The session behind a request's cookie, or null. */
export async function readSession(deps: Deps, request: FastifyRequest): Promise<ConsoleSession | null> {
  const secret = request.cookies[sessionCookieOf(deps.config).name];
  const signedIn = await findSignedIn(deps, secret);
  if (signedIn !== null) request.callerKind = "owner";
  return signedIn && secret ? { ...signedIn, csrf: csrfOf(secret) } : null;
}

/** Sets the session cookie, which holds only a random secret; the session is a row. */
export function setSession(deps: Deps, reply: FastifyReply, secret: string, expiresMs: number): void {
  const { name, secure } = sessionCookieOf(deps.config);
  const expires = new Date(expiresMs);
  reply.setCookie(name, secret, { path: "/", httpOnly: true, sameSite: "lax", secure, expires });
}

/** Clears the session cookie. */
export function clearSession(deps: Deps, reply: FastifyReply): void {
  const { name, secure } = sessionCookieOf(deps.config);
  reply.clearCookie(name, { path: "/", httpOnly: true, sameSite: "lax", secure });
}

/** The token that a form must carry, derived from a secret that another site cannot know. */
export function csrfOf(secret: string): string {
  return hashSecret(`csrf:${secret}`).slice(0, 43);
}

/** Refuses a form that another site sent or that lacks its own secret. */
export function checkForm(deps: Deps, request: FastifyRequest, csrf: string): Record<string, string> {
  const { origin } = request.headers;
  const site = request.headers["sec-fetch-site"];
  const foreign = origin !== undefined && origin !== new URL(deps.config.siteUrl).origin;
  if (foreign || (site !== undefined && site !== "same-origin" && site !== "none")) {
    throw refuse(
      "forbidden",
      "This form was sent from another site.",
      "Open the page again and send it from there.",
    );
  }
  const fields = (request.body ?? {}) as Record<string, unknown>;
  if (fields.csrf !== csrf) {
    throw refuse(
      "forbidden",
      "This form is not valid any more.",
      "Open the page again and send it from there.",
    );
  }
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => typeof value === "string"),
  ) as Record<string, string>;
}
