import type { Transform } from "node:stream";

/**
 * Passes bytes through a packer or unpacker, piece by piece: the next one is asked for once the one before is packed and
 * its outcome has room. A piece needs to be valid only until then.
 */
export async function* transcode(
  pieces: AsyncIterable<Uint8Array>,
  coder: Transform,
): AsyncGenerator<Uint8Array> {
  const source = pieces[Symbol.asyncIterator]();
  const feed = async () => {
    for (let next = await source.next(); next.done !== true; next = await source.next()) {
      await write(coder, next.value);
    }
    coder.end();
  };
  feed().catch((error) => coder.destroy(error));
  try {
    yield* coder;
  } finally {
    coder.destroy();
    // A feed that waits for the coder never goes on, so nobody else ends the source.
    await source.return?.();
  }
}

function write(coder: Transform, piece: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    coder.write(piece, (error) => (error ? reject(error) : resolve()));
  });
}
