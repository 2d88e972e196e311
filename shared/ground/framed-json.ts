const [OPENS, CLOSES] = [Buffer.from('{"data":'), Buffer.from("}")];

/**
 * JSON put together, in memory of its own with the bytes of `{"data":…}` around it: its body needs no copy. Node puts small
 * buffers into one of 64 KiB, all of which a thread would send along with each of them.
 */
export function frameJson(parts: readonly Uint8Array[]): Uint8Array {
  const all = [OPENS, ...parts, CLOSES];
  const framed = Buffer.allocUnsafeSlow(all.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of all) {
    framed.set(part, at);
    at += part.length;
  }
  return framed.subarray(OPENS.length, framed.length - CLOSES.length);
}

/** Whether JSON was put together with its body around it, in memory that is nobody else's. */
export function isFramed(json: Uint8Array): boolean {
  const around = Buffer.from(json.buffer);
  return (
    json.byteOffset === OPENS.length &&
    around.length === OPENS.length + json.length + CLOSES.length &&
    around.subarray(0, OPENS.length).equals(OPENS) &&
    around.subarray(-CLOSES.length).equals(CLOSES)
  );
}

/** The body `{"data":…}` around JSON: the memory that it was put together in, or else a copy. */
export function bodyAround(json: Uint8Array): Buffer {
  return isFramed(json) ? Buffer.from(json.buffer) : Buffer.concat([OPENS, json, CLOSES]);
}
