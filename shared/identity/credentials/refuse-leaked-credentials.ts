import { findLeakedCredentials } from "../../../sql/identity/leaked-credentials.ts";
import { type FieldErrors, type Refusal, validationFailed } from "../../ground/errors.ts";
import type { Deps } from "../../platform/deps.ts";
import { createSecretSearch, findSecretHashes, hasSecretForm } from "./secret-patterns.ts";

/** Hashes that a watch keeps until it asks: a file of 10 MB may hold 370,000 made-up secrets. */
const HASHES_KEPT = 5_000;
const FIELDS_SHOWN = 20;

/**
 * Throws 422 on every member of a value whose text or name holds an access token, a refresh token or an enrolment
 * code of this service that works now; ended or made-up ones pass. The refusal repeats nothing of the secret.
 */
export async function refuseLeakedCredentials(deps: Deps, value: unknown): Promise<void> {
  const fields = new Map<string, Set<string>>();
  collect(value, "", fields);
  if (fields.size === 0) return;
  const live = await findLive(deps, [...fields.keys()]);
  const named = new Set(live.flatMap((hash) => [...(fields.get(hash) ?? [])]));
  if (named.size === 0) return;
  const shown = [...named].slice(0, FIELDS_SHOWN);
  throw secretRefused(Object.fromEntries(shown.map((field) => [field, [sentenceFor(field)]])));
}

/**
 * Scans the bytes of a file as they pass and throws 422 on `file` as `refuseLeakedCredentials` does; the last
 * call passes no bytes.
 */
export function openSecretWatch(deps: Deps): (piece?: Uint8Array) => Promise<void> {
  const search = createSecretSearch();
  let found: string[] = [];
  return async (piece) => {
    if (piece !== undefined) found.push(...search(piece));
    if (found.length === 0 || (piece !== undefined && found.length < HASHES_KEPT)) return;
    const live = await findLive(deps, found);
    if (live.length > 0) throw secretRefused({ file: [sentenceFor("file")] });
    found = [];
  };
}

/** Maps each hash to the fields that hold it; a name that may itself be a secret is left out. */
function collect(value: unknown, field: string, fields: Map<string, Set<string>>): void {
  if (typeof value === "string") note(value, field, fields);
  if (typeof value !== "object" || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    note(name, field, fields);
    const isShown = name.length <= 80 && !hasSecretForm(name);
    collect(member, isShown ? [field, name].filter((part) => part !== "").join(".") : field, fields);
  }
}

function note(text: string, field: string, fields: Map<string, Set<string>>): void {
  for (const hash of findSecretHashes(text)) {
    const known = fields.get(hash) ?? new Set();
    if (known.size < FIELDS_SHOWN) fields.set(hash, known.add(field || "body"));
  }
}

async function findLive(deps: Deps, hashes: readonly string[]): Promise<string[]> {
  return (await findLeakedCredentials(deps.pool, hashes, deps.now())).map(({ hash }) => hash);
}

function sentenceFor(field: string): string {
  return `The ${field} holds an access token or enrolment code of this service that works. Take it out.`;
}

function secretRefused(errors: FieldErrors): Refusal {
  return validationFailed(
    errors,
    "Nothing was saved. Replace a token that others may have seen with POST /agent/token/rotate; a code your owner can cancel.",
  );
}
