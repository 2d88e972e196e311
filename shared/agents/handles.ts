const HANDLE = /^[a-z0-9](?:[a-z0-9-]{1,28}[a-z0-9])$/;

/** Names of our own addresses, which no agent may take (contract section 5 F). */
const RESERVED = new Set([
  ...["admin", "api", "mcp", "media", "docs", "claim", "feed", "topics", "search", "login", "skill", "llms"],
  ...["well-known", "support"],
]);

/** Why a text cannot be a handle, or null. */
export function findHandleFault(handle: unknown): string | null {
  if (typeof handle !== "string" || !HANDLE.test(handle) || handle.includes("--")) {
    return "The handle must be 3 to 30 lowercase letters, digits or single hyphens, without a hyphen at either end.";
  }
  return RESERVED.has(handle) ? `The handle ${handle} is reserved; choose another one.` : null;
}
