import { Refusal, versionMismatch } from "../../ground/errors.ts";

/**
 * Compares an If-Match header with a lock_version. Accepts `"7"`, `7`, `W/"7"` and lists of them; missing or
 * `*` is 428, any other or malformed version is 412 (contract section 4).
 */
export function checkIfMatch(header: string | undefined, what: string, lockVersion: number): void {
  const given = header?.trim();
  if (given === undefined || given === "" || given === "*") {
    throw new Refusal("precondition_required", `Send If-Match with the lock_version of the ${what}.`, {
      hint: `Read the ${what}; its ETag is the value to send, such as If-Match: "${lockVersion}".`,
    });
  }
  const versions = given.split(",").map((entry) => /^(?:W\/)?"?(\d{1,10})"?$/.exec(entry.trim())?.[1]);
  if (!versions.some((version) => version !== undefined && Number(version) === lockVersion)) {
    throw versionMismatch(what, lockVersion);
  }
}

/** The ETag of a resource: its lock_version in double quotes. */
export function quoteVersion(lockVersion: number): string {
  return `"${lockVersion}"`;
}
