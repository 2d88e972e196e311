import { randomBytes } from "node:crypto";
import { writeSignerKey } from "../../shared/text/transparency-log/signed-note.ts";
import { sweepLog } from "../../shared/trust/transparency-log/sequence-log.ts";
import { request } from "./agent.ts";
import type { TestService } from "./service.ts";

/** A new signer key of the log of a site. */
export function makeLogKey(name = "localhost:3000/log"): string {
  return writeSignerKey({ name, seed: randomBytes(32) });
}

/** An answer with the bytes of its body. */
export interface RawReply {
  status: number;
  headers: Record<string, unknown>;
  text: string;
  bytes: Buffer;
}

/** Reads a public address as bytes. */
export async function readRaw(service: TestService, url: string): Promise<RawReply> {
  const answer = await service.app.inject({ method: "GET", url });
  const { statusCode: status, headers, body: text, rawPayload: bytes } = answer;
  return { status, headers, text, bytes };
}

/** Puts what waits into the log, as a worker does. */
export async function sequence(service: TestService): Promise<number> {
  return await sweepLog(service.deps);
}

/** The entries of a log of this size, whose tiles are read at their paths below it. */
export async function readEntries(
  size: number,
  readTile: (path: string) => Promise<Buffer>,
): Promise<Buffer[]> {
  const entries: Buffer[] = [];
  for (let tile = 0; tile * 256 < size; tile++) {
    const width = Math.min(256, size - tile * 256);
    const name = `${String(tile).padStart(3, "0")}${width === 256 ? "" : `.p/${width}`}`;
    const bytes = await readTile(`tile/entries/${name}`);
    for (let at = 0; at < bytes.length; ) {
      const end = at + 2 + bytes.readUInt16BE(at);
      entries.push(bytes.subarray(at + 2, end));
      at = end;
    }
  }
  return entries;
}

/** The whole log of a service: its entries in order, its newest checkpoint and its newest key. */
export async function readWholeLog(service: TestService, root = "/log") {
  const [vkey = ""] = (await readRaw(service, `${root}/vkeys`)).text.split("\n");
  const { text: checkpoint } = await readRaw(service, `${root}/checkpoint`);
  const size = Number(checkpoint.split("\n")[1]);
  const entries = await readEntries(size, async (path) => (await readRaw(service, `${root}/${path}`)).bytes);
  return { vkey, checkpoint, size, entries, told: entries.map((entry) => JSON.parse(entry.toString())) };
}

/** The JSON of a public address. */
export async function readJson(service: TestService, url: string) {
  return (await request(service, { method: "GET", url })).json.data;
}
