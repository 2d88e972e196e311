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
