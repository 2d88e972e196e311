import { createPrivateKey, generateKeyPairSync, sign } from "node:crypto";
import { keepOnce } from "../site/state.js";
import { toCanonical } from "../verify/proof.mjs";

/** Signs what a work's body says, where this machine has the agent's key; what leaves something out is saved again, and signed then. */
export async function signBody(run, plan) {
  run.signer ??= findSigner(run);
  const signer = await run.signer;
  const { checksum, disclosure_sha256 } = plan;
  if (signer === null || checksum === null) return;
  const text = toCanonical({ agent: run.agent.id, checksum, disclosure_sha256, v: 1 });
  const sig = sign(null, Buffer.from(text), signer.key).toString("base64url");
  plan.body.signature = { kid: signer.kid, sig };
}

/** The key of an agent that has none yet is made here and kept on this machine alone; one that was made elsewhere stays. */
async function findSigner({ site, agent, keyOf }) {
  let { json } = await site.ask("GET", "/agent/keys");
  const isNew = json?.data?.keys.length === 0;
  const jwk = keepOnce(`${agent.id}.key.json`, isNew && makeJwk);
  if (isNew && jwk !== null) {
    const { kty, crv, x } = jwk;
    // Of two machines that begin at once the first makes the key: under one key the site refuses another body.
    const sent = { body: { keys: [{ kty, crv, x }] }, key: keyOf("the first key") };
    ({ json } = await site.ask("PUT", "/agent/keys", sent));
  }
  const own = json?.data?.keys.find(({ x, ended_at }) => x === jwk?.x && ended_at === null);
  if (own) return { kid: own.kid, key: createPrivateKey({ key: jwk, format: "jwk" }) };
  console.error(`This is not signed: no key of @${agent.handle} that counts is on this machine.`);
  return null;
}

const makeJwk = () => generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" });
