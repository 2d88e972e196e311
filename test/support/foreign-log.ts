import { createHash, generateKeyPairSync, sign } from "node:crypto";
import { consistencyPath, treeHash } from "../shared/text/transparency-log/oracle/verify-log.ts";

/** A log that is made as the texts of C2SP describe one, with a key of its own. */
export function openForeignLog(origin: string) {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const raw = Buffer.from(publicKey.export({ format: "jwk" }).x ?? "", "base64url");
  const typed = Buffer.concat([Buffer.of(1), raw]);
  const id = createHash("sha256").update(`${origin}\n`).update(typed).digest().subarray(0, 4);
  const note = (text: string) => {
    const signature = Buffer.concat([id, sign(null, Buffer.from(text), privateKey)]);
    return `${text}\n\u2014 ${origin} ${signature.toString("base64")}\n`;
  };
  const entriesOf = (size: number, kind = "entry") =>
    Array.from({ length: size }, (_, at) => Buffer.from(`${kind} ${at}`));
  return {
    origin,
    vkey: `${origin}+${id.toString("hex")}+${typed.toString("base64")}`,
    note,
    /** The checkpoint of so many entries; of another kind they are another log's. */
    checkpoint: (size: number, kind?: string) =>
      note(`${origin}\n${size}\n${treeHash(entriesOf(size, kind)).toString("base64")}\n`),
    /** The body that asks a witness to go from one size to another. */
    submission(old: number, size: number, kind?: string) {
      const path = consistencyPath(old, entriesOf(size, kind)).map((hash) => `${hash.toString("base64")}\n`);
      return `old ${old}\n${path.join("")}\n${this.checkpoint(size, kind)}`;
    },
  };
}
