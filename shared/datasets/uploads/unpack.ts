import type { Transform } from "node:stream";
import { constants, createGunzip, createZstdDecompress, type ZlibOptions, type ZstdOptions } from "node:zlib";
import { transcode } from "../../platform/files/transcode.ts";
import { type IncomingFile, type Packing, refuseFile, tooLarge } from "./incoming-file.ts";
import { BehindFrame, takeFrame } from "./zstd-frames.ts";

/** How much larger a file may become, once it has more than the free bytes. */
const MOST_GROWTH = 100;
const FREE_BYTES = 1_048_576;
const OUTPUT_BYTES = 65_536;
/** A frame says how much memory its decoder has to hold: 8 MiB, as every decoder gives (RFC 8878, section 3.1.1.1.2). */
const WINDOW_LOG = 23;

/**
 * Unpacks a file while it arrives; how many bytes were sent of it is known once they have been read. Throws 422 for one
 * that is damaged or cut, goes on behind its end, or becomes more than 100 times as large.
 */
export function unpack(file: IncomingFile, packing: Packing, limit: number) {
  let sent = 0;
  async function* count(): AsyncGenerator<Uint8Array> {
    for await (const chunk of file.bytes) {
      sent += chunk.length;
      // A stream of empty blocks gives nothing that another limit counts.
      if (sent > limit) throw tooLarge(limit);
      yield chunk;
    }
  }
  async function* read(): AsyncGenerator<Uint8Array> {
    let bytes = 0;
    try {
      for await (const piece of decode(count(), packing)) {
        bytes += piece.length;
        if (file.declaredBytes !== null) checkGrowth(bytes, file.declaredBytes);
        yield piece;
      }
    } catch (error) {
      throw explain(error, file, { packing, limit });
    }
    checkGrowth(bytes, sent);
  }
  return { bytes: read(), sentBytes: () => sent };
}

function checkGrowth(bytes: number, sent: number): void {
  if (bytes <= FREE_BYTES || bytes <= MOST_GROWTH * sent) return;
  throw refuseFile(
    `The file becomes more than ${MOST_GROWTH} times as large when it is unpacked; upload it uncompressed.`,
  );
}

// The types of Node lack this option, by which its own DecompressionStream takes one member and nothing behind it.
const ALONE = { rejectGarbageAfterEnd: true, chunkSize: OUTPUT_BYTES } as ZlibOptions & ZstdOptions;

function decode(bytes: AsyncIterable<Uint8Array>, packing: Packing): AsyncIterable<Uint8Array> {
  if (packing === "gz") return transcode(bytes, createGunzip(ALONE));
  const params = { [constants.ZSTD_d_windowLogMax]: WINDOW_LOG };
  const decoder: Transform = createZstdDecompress({ ...ALONE, params });
  return transcode(takeFrame(bytes), decoder);
}

const NAMES = { gz: "gzip", zst: "Zstandard" };

/** The refusal of a file that its decoder refused; errors of its arrival stay what they are. */
function explain(
  error: unknown,
  file: IncomingFile,
  { packing, limit }: { packing: Packing; limit: number },
): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "ERR_TRAILING_JUNK_AFTER_STREAM_END" || error instanceof BehindFrame) {
    return refuseFile(`There are bytes behind the end of the ${NAMES[packing]} data; pack one file, once.`);
  }
  if (!code.startsWith("Z_") && !code.startsWith("ZSTD_")) return error;
  if (file.wasCut()) return tooLarge(limit);
  if (code === "ZSTD_error_frameParameter_windowTooLarge") {
    return refuseFile("The file takes more than 8 MiB of memory to unpack; pack it with level 19 or lower.");
  }
  return refuseFile(
    `The file is no whole ${NAMES[packing]} file, or it is damaged; pack it again, or upload it uncompressed.`,
  );
}
