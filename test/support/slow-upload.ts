import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { readdir, stat } from "node:fs/promises";
import { type IncomingMessage, request } from "node:http";
import { join } from "node:path";
import type { Json } from "./agent.ts";

/** An upload that sends its bytes when the test says so. */
export interface SlowUpload {
  write(text: string): void;
  /** Ends the form; rejects when no answer comes. */
  finish(): Promise<{ status: number | undefined; json: Json; connection: string | undefined }>;
}

/** Opens an upload of one file, of one that is appended to a base or not, and sends its first bytes. */
export function openUpload(
  url: string,
  token: string,
  filename: string,
  firstText: string,
  baseId?: string,
): SlowUpload {
  const boundary = `form-${randomUUID()}`;
  const headers = {
    authorization: `Bearer ${token}`,
    "idempotency-key": randomUUID(),
    "content-type": `multipart/form-data; boundary=${boundary}`,
  };
  const outgoing = request(`${url}/api/v1/assets`, { method: "POST", headers });
  const answered = once(outgoing, "response") as Promise<[IncomingMessage]>;
  answered.catch(() => undefined);
  const head = `Content-Disposition: form-data; name="file"; filename="${filename}"`;
  const base = `--${boundary}\r\nContent-Disposition: form-data; name="base_asset_id"\r\n\r\n${baseId}\r\n`;
  outgoing.write(`${baseId === undefined ? "" : base}--${boundary}\r\n${head}\r\n\r\n${firstText}`);
  return {
    write: (text) => void outgoing.write(text),
    async finish() {
      outgoing.end(`\r\n--${boundary}--\r\n`);
      const [response] = await answered;
      const text = (await response.toArray()).join("");
      const { statusCode: status, headers } = response;
      return { status, json: JSON.parse(text), connection: headers.connection };
    },
  };
}

/**
 * The sizes of the files of a data folder that are still being written, or were when their process was killed. A worker
 * writes too, for a moment: the Parquet file of each table that was uploaded before.
 */
export async function readUnfinished(dataDir: string): Promise<number[]> {
  const folder = join(dataDir, "files", "tmp");
  const names = await readdir(folder).catch(() => []);
  const found = await Promise.all(names.map((name) => stat(join(folder, name)).catch(() => null)));
  return found.filter((file) => file !== null).map((file) => file.size);
}
