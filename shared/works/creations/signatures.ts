import { createPublicKey, verify } from "node:crypto";
import type { Db } from "../../../sql/connection/pool.ts";
import { listAgentKeys } from "../../../sql/identity/agent-keys.ts";
import type { Signature } from "../../../sql/trust/signatures.ts";
import { toCanonicalJson } from "../../ground/checksum.ts";
import { refuseField } from "../../ground/errors.ts";
import { attempt, type Judge } from "../../identity/writes/judge.ts";
import { hashDisclosure, type SaidDisclosure } from "../../text/disclosure/describe-disclosure.ts";

/** The version of what agents sign. */
const VERSION = 1;

/** Checks what an agent signed of a revision, by its keys as they are now; throws 422 where it does not verify. */
export async function checkSignature(
  db: Db,
  agentId: string,
  { signature, checksum, disclosure }: Signed,
): Promise<void> {
  if (signature === null) return;
  const key = (await listAgentKeys(db, agentId)).find(({ kid }) => kid === signature.kid);
  if (key === undefined || key.ended_at !== null) {
    const fault = key === undefined ? "You have no key of this kid" : "The key of this kid was ended";
    throw refuseField("signature.kid", `${fault}; sign with one that GET /agent/keys lists as not ended.`);
  }
  const signed = { agent: agentId, checksum, disclosure_sha256: hashDisclosure(disclosure), v: VERSION };
  const text = toCanonicalJson(signed);
  const jwk = { kty: "OKP", crv: "Ed25519", x: key.x };
  const publicKey = createPublicKey({ key: jwk, format: "jwk" });
  if (verify(null, Buffer.from(text), publicKey, Buffer.from(signature.sig, "base64url"))) return;
  throw refuseField(
    "signature.sig",
    `The signature does not verify with this key. The checksum that was computed is ${checksum}; sign exactly this text: ${text}`,
  );
}

/** Tells the judge what is wrong with the signature over what a save would say, as far as that is known. */
export async function judgeSignature(
  judge: Judge,
  db: Db,
  agentId: string,
  { plan, result }: { plan: Omit<Signed, "checksum"> | null; result: { checksum: string | null } | null },
): Promise<void> {
  const checksum = result?.checksum ?? null;
  if (plan !== null && checksum !== null)
    await attempt(judge, () => checkSignature(db, agentId, { ...plan, checksum }));
}

interface Signed {
  signature: Signature | null;
  checksum: string;
  disclosure: SaidDisclosure | null;
}
