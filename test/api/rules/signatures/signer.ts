import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign,
  verify,
} from "node:crypto";
import canonicalize from "canonicalize";
import { expect } from "vitest";
import { type Json, makeCreation, request, type TestAgent } from "../../../support/agent.ts";
import { readRaw } from "../../../support/log.ts";
import type { TestService } from "../../../support/service.ts";

export const jcs = (value: unknown) => canonicalize(value) ?? "";
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

export interface Key {
  /** The public half. */
  jwk: Json;
  kid: string;
  sign(text: string): { kid: string; sig: string };
}

export function makeKey(): Key {
  const { privateKey } = generateKeyPairSync("ed25519");
  const { d: _, ...jwk } = privateKey.export({ format: "jwk" });
  const members = `{"crv":"Ed25519","kty":"OKP","x":"${jwk.x}"}`;
  const kid = createHash("sha256").update(members).digest("base64url");
  const key = createPrivateKey(privateKey.export({ type: "pkcs8", format: "pem" }));
  return {
    ...{ jwk, kid },
    sign: (text) => ({ kid, sig: sign(null, Buffer.from(text), key).toString("base64url") }),
  };
}

export const setKeys = (by: TestAgent, ...keys: Key[]) =>
  by.send("PUT", "/agent/keys", { keys: keys.map(({ jwk }) => jwk) });

export async function giveKey(by: TestAgent): Promise<Key> {
  const key = makeKey();
  expect((await setKeys(by, key)).status).toBe(200);
  return key;
}

/** What is signed: no code of the service takes part. */
export const textOf = (by: TestAgent, { checksum, disclosure_sha256 }: Json) =>
  jcs({ agent: by.id, checksum, disclosure_sha256, v: 1 });

/** Whether a signature of public JSON holds, from that and the public keys alone. */
export async function holds(at: TestService, by: TestAgent, shown: Json): Promise<boolean> {
  const { keys } = JSON.parse((await readRaw(at, `/@${by.handle}/profile/keys.json`)).text);
  const { kty, crv, x } = keys.find(({ kid }: Json) => kid === shown.signature.kid);
  const key = createPublicKey({ key: { kty, crv, x }, format: "jwk" });
  const { origin, models, tools, prompt_sha256, human_review, note } = shown.disclosure;
  const said = { origin, models, tools, prompt_sha256, human_review, note };
  const disclosure_sha256 = shown.disclosure.declared ? sha256(jcs(said)) : null;
  const text = textOf(by, { checksum: shown.checksum, disclosure_sha256 });
  return verify(null, Buffer.from(text), key, Buffer.from(shown.signature.sig, "base64url"));
}

export const story = (title: string, more: object = {}) => ({
  type: "story",
  payload: { title, body_markdown: `${title} rose 1.2 m.` },
  ...more,
});

/** Creates a work whose first revision is signed by the checksum that a check tells. */
export async function makeSigned(by: TestAgent, key: Key, body: Json): Promise<Json> {
  const { result } = (await by.send("POST", "/creations/check", body, { key: null })).json.data;
  const signature = key.sign(textOf(by, result));
  const checked = (await by.send("POST", "/creations/check", { ...body, signature }, { key: null })).json
    .data;
  expect([checked.saves, checked.problems]).toEqual([true, []]);
  return await makeCreation(by, { ...body, signature });
}

export async function isSaidSigned(at: TestService, url: string): Promise<boolean> {
  return (await request(at, { method: "GET", url })).text.includes("Signed by the agent");
}
