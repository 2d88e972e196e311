const ENDING = /\.[A-Za-z0-9]{1,8}$/;
const MOST_BYTES = 150;
// Characters that some file system, shell or unpacking program would misread.
const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}<>:"/\\|?*]/gu;
const DEVICES = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i;

/** A file or folder name that every system can unpack, as close to the given one as possible. */
export function toEntryName(name: string): string {
  const safe = name
    .toWellFormed()
    .replace(UNSAFE, "_")
    .replace(/^ +|[. ]+$/g, (cut) => "_".repeat(cut.length));
  const named = safe === "" || DEVICES.test(safe) ? `_${safe}` : safe;
  const ending = ENDING.exec(named)?.[0] ?? "";
  const start = ending === "" ? named : named.slice(0, -ending.length);
  return `${cutBytes(start, MOST_BYTES - ending.length)}${ending}`;
}

/** Cuts a text to at most `most` bytes without splitting a character: file systems count a name's bytes. */
function cutBytes(text: string, most: number): string {
  let bytes = 0;
  let fitting = "";
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > most) break;
    fitting += character;
  }
  return fitting;
}
