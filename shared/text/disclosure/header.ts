/** Characters that a String of RFC 9651 holds. */
const PRINTED = { from: 0x20, to: 0x7e };

/** A Dictionary of RFC 9651 with one token and texts, as a header carries it; a null text is left out. */
export function writeDictionary(mode: string, texts: Readonly<Record<string, string | null>>): string {
  const members = Object.entries(texts).flatMap(([name, text]) =>
    text === null ? [] : [`${name}=${writeText(text)}`],
  );
  return [`mode=${mode}`, ...members].join(", ");
}

/** A String, or a Display String where a character is not ASCII. */
function writeText(text: string): string {
  const bytes = [...new TextEncoder().encode(text)];
  if (bytes.every(isPrinted)) return `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
  return `%"${bytes.map(writeByte).join("")}"`;
}

function writeByte(byte: number): string {
  const character = String.fromCharCode(byte);
  const isPlain = isPrinted(byte) && character !== "%" && character !== '"';
  return isPlain ? character : `%${byte.toString(16).padStart(2, "0")}`;
}

function isPrinted(byte: number): boolean {
  return byte >= PRINTED.from && byte <= PRINTED.to;
}
