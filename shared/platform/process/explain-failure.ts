import { ConfigError, isNetworkFailure } from "../../ground/errors.ts";
import { FileStoreUnavailable } from "../files/store.ts";

/** What PostgreSQL says by its codes of a connection that it does not let in. */
const REFUSALS: Readonly<Record<string, string>> = {
  "28P01": "The database refuses the password of its user: correct DATABASE_URL.",
  "28000": "The database does not let the user in: correct DATABASE_URL, or the server's pg_hba.conf.",
  "3D000": "The server has no database of this name: correct DATABASE_URL, or make the database.",
};

/**
 * Why the database cannot be used, where its address is the reason; null for any other error. The error arrives as it
 * is, wrapped by the pool, or as one of several. A bucket that does not answer fails with the same codes.
 */
export function explainDatabaseFault(error: unknown): string | null {
  if (!(error instanceof Error) || error instanceof FileStoreUnavailable) return null;
  if (isNetworkFailure(error)) return "The database does not answer: check DATABASE_URL.";
  const inner: unknown[] = error instanceof AggregateError ? error.errors : [];
  const deeper = [error.cause, ...inner].map(explainDatabaseFault).find((sentence) => sentence !== null);
  const code = "code" in error ? String(error.code) : "";
  return REFUSALS[code] ?? deeper ?? null;
}

/** What the system was asked for when a server could not listen. */
const LISTENING = new Set(["listen", "bind", "getaddrinfo"]);

/** Where a server was to listen, and the variables that say so. */
interface ListeningPlace {
  host: string;
  port: number;
  hostName: string;
  portName: string;
}

/** The reason why a server cannot listen, with the variable to correct; any other error as it is. */
export function explainListenFault(
  error: unknown,
  { host, port, hostName, portName }: ListeningPlace,
): unknown {
  const isOfListening =
    error instanceof Error && "code" in error && "syscall" in error && LISTENING.has(String(error.syscall));
  if (!isOfListening) return error;
  if (error.code === "EADDRINUSE")
    return new ConfigError(
      `Port ${port} on ${host} is taken by another program: set ${portName} to a free one.`,
    );
  return new ConfigError(
    `Nothing can listen on ${host}, port ${port} (${error.code}): correct ${hostName} or ${portName}.`,
  );
}
