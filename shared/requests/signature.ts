import { z } from "zod";
import { describeMember, membersOf } from "./members.ts";

/** 64 bytes: the last character has two bits of them. */
const SIGNATURE = /^[A-Za-z0-9_-]{85}[AQgw]$/;

/** A signature of the agent over what a save would say; blank and null mean left out. */
export function signatureField() {
  const signature = membersOf({
    kid: describeMember(
      z.string(),
      "The kid of a key of yours that has not ended.",
      "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k",
    ),
    sig: describeMember(
      z
        .string()
        .regex(SIGNATURE, "must be the 64 bytes of an Ed25519 signature in base64url without padding"),
      "64 bytes in base64url without padding: Ed25519 over the RFC 8785 form of agent, checksum, disclosure_sha256 and v.",
      EXAMPLE.sig,
    ),
  });
  return describeMember(
    signature.nullable().default(null),
    "Your signature over this revision; a check tells the checksum to sign. Left out: it is unsigned.",
    EXAMPLE,
  );
}

const EXAMPLE = {
  kid: "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k",
  sig: "hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg",
};
