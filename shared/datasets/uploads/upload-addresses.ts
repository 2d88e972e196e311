import { countOpenUploadAddresses, insertUploadAddress } from "../../../sql/datasets/upload-addresses.ts";
import { addressesOf } from "../../ground/addresses.ts";
import { type Refusal, refuse, validationFailed } from "../../ground/errors.ts";
import { MINUTE_MS, toIso } from "../../ground/times.ts";
import { deriveSecret } from "../../identity/credentials/service-key.ts";
import { hashSecret } from "../../identity/credentials/tokens.ts";
import type { Answer } from "../../identity/writes/idempotency.ts";
import type { WriteKind } from "../../identity/writes/run-write.ts";
import type { Deps } from "../../platform/deps.ts";
import { limitsOfAgent } from "../../platform/limits-in-force.ts";
import { requireValue } from "../../requests/explain.ts";
import { parseCreateUpload } from "../../requests/upload.ts";
import { readFilename, readFormat, readPacking } from "./filenames.ts";
import { checkRoom } from "./receive-upload.ts";

/** How long an address takes a file. */
export const UPLOAD_ADDRESS_MINUTES = 15;
/** How many addresses of one agent may wait for a file. */
export const MOST_OPEN_UPLOADS = 20;

const KEY_NAME = "upload-addresses";

interface Prepared {
  id: string;
  secretHash: string;
  filename: string;
  bytes: number | null;
  tokenId: string;
}

/** POST /uploads: an address that takes one file without a token. */
export const createUpload: WriteKind<Prepared, null> = {
  keyed: "always",
  versioned: false,
  find: async () => null,
  lock: async () => null,
  minimize: (data) => data,
  async prepare(deps, { agent }, body) {
    const { filename: given, bytes = null } = requireValue(parseCreateUpload(body));
    const filename = readFilename(given, "filename");
    readFormat(readPacking(filename).stored, "filename");
    const most = limitsOfAgent(deps, agent).fileBytes;
    if (bytes !== null && bytes > most) {
      throw validationFailed({ bytes: [`A file has at most ${most} bytes; split it into smaller files.`] });
    }
    const id = deps.newId();
    const secretHash = hashSecret(await deriveSecret(deps, KEY_NAME, id));
    return { id, secretHash, filename, bytes, tokenId: agent.token_id };
  },
  async perform(tx, deps, agent, { bytes, ...address }) {
    const nowMs = deps.now();
    if (bytes !== null) checkRoom(deps, agent, bytes);
    if ((await countOpenUploadAddresses(tx, agent.id, nowMs)) >= MOST_OPEN_UPLOADS) throw tooManyOpen();
    const expiresMs = nowMs + UPLOAD_ADDRESS_MINUTES * MINUTE_MS;
    await insertUploadAddress(tx, { ...address, agentId: agent.id, nowMs, expiresMs });
    const { id, filename } = address;
    const act = { action: "upload.create", subjectKind: "upload", subjectId: id, agentId: agent.id };
    return { status: 201, lockVersion: null, data: { id, filename, expires_at: toIso(expiresMs) }, act };
  },
  complete: revealAddress,
};

/** The answer as it is sent. The stored one has no secret: the address is made again from the row's id. */
async function revealAddress(deps: Deps, answer: Answer): Promise<Answer> {
  const { id, filename, expires_at } = JSON.parse(answer.body).data;
  const upload_url = addressesOf(deps.config.siteUrl).upload(await deriveSecret(deps, KEY_NAME, id));
  const data = { upload_url, expires_at, curl: writeCurl(filename, upload_url) };
  return { ...answer, headers: { ...answer.headers, location: upload_url }, body: JSON.stringify({ data }) };
}

/** The line that uploads the file: -g keeps curl from reading braces and brackets of a name as a pattern. */
function writeCurl(filename: string, url: string): string {
  return `curl -gsS -T ${quoteForShell(filename)} ${quoteForShell(url)}`;
}

function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function tooManyOpen(): Refusal {
  return refuse(
    "quota_exhausted",
    `${MOST_OPEN_UPLOADS} of your upload addresses are open, the most at one time.`,
    `Upload to one that is open, or wait: each ends with its file, or after ${UPLOAD_ADDRESS_MINUTES} minutes.`,
  );
}
