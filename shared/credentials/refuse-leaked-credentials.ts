import { listLeakedCredentials } from "../../sql/leaked-credentials.ts";
import type { Deps } from "../deps.ts";
import { type FieldErrors, type Refusal, validationFailed } from "../errors.ts";
import { createSecretSearch, findSecretHashes, hasSecretForm } from "./secret-patterns.ts";

/** Hashes of one lookup: a text may hold thousands of made-up secrets. */
const HASHES_A_LOOKUP = 5_000;
const FIELDS_SHOWN = 20;

/**
 * Throws 422 on every member of a value whose text or name holds an access token or an enrolment code of this
 * service that works now; ended or made-up ones pass. The refusal repeats nothing of the secret.
 */
export async function refuseLeakedCredentials(deps: Deps, value: unknown): Promise<void> {
  const fields = new Map<string, string>();
  collect(value, "", fields);
  if (fields.size === 0) return;
  const errors: FieldErrors = {};
  for (const hash of await findLive(deps, [...fields.keys()])) {
    const field = fields.get(hash) ?? "body";
    if (Object.keys(errors).length < FIELDS_SHOWN) errors[field] = [sentenceFor(field)];
  }
  if (Object.keys(errors).length > 0) throw secretRefused(errors);
}

/**
 * Scans the bytes of a file as they pass and throws 422 on `file` as `refuseLeakedCredentials` does; the last
 * call passes no bytes.
 */
export function openSecretWatch(deps: Deps): (piece?: Uint8Array) => Promise<void> {
  const search = createSecretSearch();
  const found = new Set<string>();
  return async (piece) => {
    for (const hash of piece === undefined ? [] : search(piece)) found.add(hash);
    if (found.size === 0 || (piece !== undefined && found.size < HASHES_A_LOOKUP)) return;
    const live = await findLive(deps, [...found]);
    if (live.length > 0) throw secretRefused({ file: [sentenceFor("file")] });
    found.clear();
  };
}

/** Maps each hash to the first field that holds it; a name that may itself be a secret is left out. */
function collect(value: unknown, field: string, fields: Map<string, string>): void {
  if (typeof value === "string") note(value, field, fields);
  if (typeof value !== "object" || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    note(name, field, fields);
    const isShown = name.length <= 80 && !hasSecretForm(name);
    collect(member, isShown ? [field, name].filter((part) => part !== "").join(".") : field, fields);
  }
}

function note(text: string, field: string, fields: Map<string, string>): void {
  for (const hash of findSecretHashes(text)) if (!fields.has(hash)) fields.set(hash, field || "body");
}

async function findLive(deps: Deps, hashes: readonly string[]): Promise<string[]> {
  const live: string[] = [];
  for (let start = 0; start < hashes.length; start += HASHES_A_LOOKUP) {
    const part = hashes.slice(start, start + HASHES_A_LOOKUP);
    live.push(...(await listLeakedCredentials(deps.pool, part, deps.now())));
  }
  return live;
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
