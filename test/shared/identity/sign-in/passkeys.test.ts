import { createHash, generateKeyPairSync, randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { addPasskey, startPasskey } from "../../../../shared/identity/sign-in/passkeys.ts";
import { findOwnerById } from "../../../../sql/identity/owners.ts";
import { openDashboard } from "../../../support/owner-dashboard.ts";
import { openService } from "../../../support/service.ts";
import { runSql } from "../../../support/tables.ts";

const service = await openService({ workers: false });

/** What a browser sends for a new key without an attestation, in CBOR (WebAuthn, 6.5). */
function register(challenge: string): string {
  const { x = "", y = "" } = generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey.export({
    format: "jwk",
  });
  const key = ["a5010203262001215820", Buffer.from(x, "base64url").toString("hex"), "225820"];
  const id = randomBytes(32);
  const party = createHash("sha256").update("localhost").digest("hex");
  const data = Buffer.from(
    [party, "45", "00".repeat(20), "0020", id.toString("hex"), ...key].join("") +
      Buffer.from(y, "base64url").toString("hex"),
    "hex",
  );
  const attestation = Buffer.concat([
    Buffer.from("a363666d74646e6f6e656761747453746d74a068617574684461746158", "hex"),
    Buffer.from([data.length]),
    data,
  ]);
  const client = { type: "webauthn.create", challenge, origin: "http://localhost:3000" };
  const response = {
    clientDataJSON: Buffer.from(JSON.stringify(client)).toString("base64url"),
    attestationObject: attestation.toString("base64url"),
  };
  const name = id.toString("base64url");
  return JSON.stringify({ id: name, rawId: name, type: "public-key", clientExtensionResults: {}, response });
}

test("of five browsers that add the twentieth passkey at once, one does", async () => {
  const { ownerId } = await openDashboard(service);
  const owner = await findOwnerById(service.deps.pool, ownerId);
  if (owner === null) throw new Error("the owner is gone");
  const signedIn = { owner, sessionId: service.deps.newId() } as Parameters<typeof startPasskey>[1];
  await runSql(
    service,
    `INSERT INTO passkeys (id, owner_id, credential_id, public_key, counter, transports, name, created_at)
     SELECT lpad(n::text, 26, '0'), $1, 'credential' || n, '\\x00', 0, '{}', 'key', now() FROM generate_series(1, 19) n`,
    [ownerId],
  );
  const asked = await Promise.all(Array.from({ length: 5 }, () => startPasskey(service.deps, signedIn)));
  const added = await Promise.allSettled(
    asked.map(({ challenge }) =>
      addPasskey(
        service.deps,
        signedIn,
        { response: register(challenge), name: "new" },
        service.deps.newId(),
      ),
    ),
  );
  const reasons = added.map((one) => (one.status === "fulfilled" ? "added" : one.reason.message)).sort();
  expect(reasons).toEqual([...Array(4).fill("An account has at most 20 passkeys; remove one."), "added"]);
});
