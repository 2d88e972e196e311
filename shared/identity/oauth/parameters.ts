import { ABILITIES, type Ability } from "../credentials/abilities.ts";

/** The errors of OAuth that this service answers with. */
export type OAuthCode =
  | "invalid_request"
  | "invalid_client"
  | "invalid_grant"
  | "invalid_scope"
  | "invalid_target"
  | "invalid_redirect_uri"
  | "invalid_client_metadata"
  | "unsupported_grant_type"
  | "unsupported_response_type"
  | "access_denied"
  | "server_error"
  | "temporarily_unavailable";

/** A refusal in OAuth's form, which clients parse. */
export class OAuthError extends Error {
  override name = "OAuthError";
  readonly code: OAuthCode;
  readonly status: number;

  constructor(code: OAuthCode, message: string, status = 400) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

/** The value of a parameter; throws `invalid_request` for one that was sent twice, as OAuth demands. */
export function readParameter(parameters: Record<string, unknown>, name: string): string | null {
  const value = parameters[name];
  if (value === undefined || value === "") return null;
  if (typeof value === "string") return value;
  throw new OAuthError("invalid_request", `The parameter ${name} was sent more than once.`);
}

/** The value of a parameter that must be there; throws `invalid_request`. */
export function requireParameter(parameters: Record<string, unknown>, name: string): string {
  const value = readParameter(parameters, name);
  if (value === null) throw new OAuthError("invalid_request", `The parameter ${name} is missing.`);
  return value;
}

/** What asks for a refresh token; one is given with and without it. */
export const OFFLINE_ACCESS = "offline_access";

/** The abilities in a scope, in our order; those that there are not are dropped, as OAuth allows. */
export function readScope(scope: string | null): readonly Ability[] {
  const asked = new Set((scope ?? "").split(" "));
  return ABILITIES.filter((ability) => asked.has(ability));
}

/** The abilities that a client asks an owner for: all of them where it names none. */
export function readAskedScope(scope: string | null): readonly Ability[] {
  const asked = readScope(scope);
  return asked.length === 0 ? ABILITIES : asked;
}

/** The abilities of a renewed token: those of the connection, or the part of them that the client asks for. */
export function narrowScope(granted: readonly string[], scope: string | null): readonly string[] {
  const asked: readonly string[] = readScope(scope);
  if (asked.length === 0) return granted;
  const kept = granted.filter((ability) => asked.includes(ability));
  if (kept.length > 0) return kept;
  throw new OAuthError("invalid_scope", "The owner allowed none of these abilities.");
}

/** The addresses of the tool server that protected-resource metadata describes, by their path. */
export const RESOURCE_PATHS = ["", "/mcp", "/mcp/agent"] as const;
export type ResourcePath = (typeof RESOURCE_PATHS)[number];

/** Refuses a resource (RFC 8707) that is not of this site; a slash at its end is allowed, and none needs to be named. */
export function checkResource(siteUrl: string, resource: unknown): void {
  for (const one of [resource ?? []].flat()) {
    if (one !== "" && !isResource(siteUrl, one)) {
      const known = RESOURCE_PATHS.map((path) => `${siteUrl}${path}`).join(", ");
      throw new OAuthError("invalid_target", `The resource must be one of ${known}.`);
    }
  }
}

function isResource(siteUrl: string, resource: unknown): boolean {
  const url = typeof resource === "string" ? URL.parse(resource) : null;
  if (url === null) return false;
  return RESOURCE_PATHS.some(
    (path) => withoutSlash(url.href) === withoutSlash(new URL(`${siteUrl}${path}`).href),
  );
}

function withoutSlash(address: string): string {
  return address.endsWith("/") ? address.slice(0, -1) : address;
}
