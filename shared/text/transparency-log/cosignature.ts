import { openSigner, readVerifier, type Signer, type Verifier, writeSignature } from "./signed-note.ts";

/** The type of a key that cosigns: Ed25519 cosignature/v1 (c2sp.org/tlog-cosignature). */
const COSIGNATURE = 4;
const TIME_BYTES = 8;

/** Who cosigns checkpoints of logs. */
export interface Cosigner extends Pick<Signer, "name" | "id" | "vkey"> {
  /** The line for the text of a checkpoint, as of whole seconds since 1970. */
  cosign(text: string, seconds: number): string;
}

/** The cosigner of a name with the key that follows from 32 secret bytes. */
export function openCosigner(name: string, seed: Buffer): Cosigner {
  const { sign, ...signer } = openSigner(name, seed, COSIGNATURE);
  return {
    ...signer,
    cosign(text, seconds) {
      const time = Buffer.alloc(TIME_BYTES);
      time.writeBigUInt64BE(BigInt(seconds));
      return writeSignature(signer, Buffer.concat([time, sign(writeMessage(text, BigInt(seconds)))]));
    },
  };
}

/** Reads the verifier key of a witness, `<name>+<id>+<key>`; null for any other text and for a key of another type. */
export function readWitness(vkey: string): Verifier | null {
  const key = readVerifier(vkey, COSIGNATURE);
  if (key === null) return null;
  return {
    ...key,
    verify(text, signature) {
      if (signature.length < TIME_BYTES) return false;
      const seconds = signature.readBigInt64BE();
      // The standard has neither 0 nor more than 2^63 - 1.
      return seconds > 0 && key.verify(writeMessage(text, seconds), signature.subarray(TIME_BYTES));
    },
  };
}

function writeMessage(text: string, seconds: bigint): string {
  return `cosignature/v1\ntime ${seconds}\n${text}`;
}
