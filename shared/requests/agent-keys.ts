import { createHash } from "node:crypto";
import { z } from "zod";
import { toCanonicalJson } from "../ground/checksum.ts";
import { type Refusal, refuseField } from "../ground/errors.ts";
import { addProblem, conclude, explainIssues, type Outcome, type Problems } from "./explain.ts";
import { describeMember, membersOf, requireUnique, textOf, UNIQUE_ITEMS } from "./members.ts";
import { isRecord } from "./read-body.ts";

/** As many keys as an agent signs with at one time: one, and one to rotate to. */
const MOST_LIVE = 2;
/** 32 bytes: the last character has four bits of them. */
const PUBLIC_HALF = /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/;

const Key = membersOf({
  kty: describeMember(z.literal("OKP"), "The kind of the key.", "OKP"),
  crv: describeMember(z.literal("Ed25519"), "The curve of the key.", "Ed25519"),
  x: describeMember(
    z.string().regex(PUBLIC_HALF, "must be the 32 bytes of the public key in base64url without padding"),
    "The public half: 32 bytes in base64url without padding.",
    "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
  ),
  kid: describeMember(
    z.string().nullish(),
    "The RFC 7638 thumbprint, which the service works out itself; one that differs is refused.",
    "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k",
  ),
});

/** The body of PUT /agent/keys. */
export const KeysRequest = membersOf({
  keys: describeMember(
    z
      .array(Key)
      .max(MOST_LIVE)
      .superRefine(requireUnique((key) => textOf(key, "x"), "This key is in the list twice; send it once."))
      .meta(UNIQUE_ITEMS),
    "Every key that you sign with from now on, as JSON Web Keys; those left out are ended for good.",
    [{ kty: "OKP", crv: "Ed25519", x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo" }],
  ),
});

/** A key that was sent, with its thumbprint. */
export interface SentKey {
  kid: string;
  x: string;
}

/** Reads the body of PUT /agent/keys. Never throws. */
export function parseKeysRequest(body: unknown): Outcome<SentKey[]> {
  const problems: Problems = new Map();
  const { data, error } = KeysRequest.safeParse(refuseSecrets(body, problems), { reportInput: true });
  if (error !== undefined) explainIssues(error.issues, [], problems);
  const keys = (data?.keys ?? []).map(({ x, kid: sent }, at) => {
    const kid = thumbprintOf(x);
    if (sent && sent !== kid) {
      const sentence = `The kid is not the RFC 7638 thumbprint of this key, which is ${kid}; send that one or none.`;
      addProblem(problems, `keys.${at}.kid`, sentence);
    }
    return { kid, x };
  });
  return conclude(problems, keys);
}

/** The thumbprint of RFC 7638. */
function thumbprintOf(x: string): string {
  const members = toCanonicalJson({ crv: "Ed25519", kty: "OKP", x });
  return createHash("sha256").update(members).digest("base64url");
}

const SECRET =
  "The d is the private half of a key. It was not kept, but it has left your machine: make another key, and send kty, crv and x alone.";

/** The body without private halves, which no other check is to see. */
function refuseSecrets(body: unknown, problems: Problems): unknown {
  if (!isRecord(body)) return body;
  const { keys, ...rest } = withoutSecret(body, "d", problems);
  if (!Array.isArray(keys)) return { ...rest, ...(keys !== undefined && { keys }) };
  const items = keys.map((key, at) => (isRecord(key) ? withoutSecret(key, `keys.${at}.d`, problems) : key));
  return { ...rest, keys: items };
}

function withoutSecret({ d, ...rest }: Record<string, unknown>, field: string, problems: Problems) {
  if (d !== undefined) addProblem(problems, field, SECRET);
  return rest;
}

/** The refusal of a key at its place in the list that its agent has ended before. */
export function refuseEndedKey(at: number, kid: string): Refusal {
  return refuseField(`keys.${at}`, `The key ${kid} was ended, which is for good; make another one.`);
}
