const LOOPBACK: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Schemes of programs that are known though their names have no dot, as RFC 8252 asks of a private scheme. */
const KNOWN_SCHEMES: readonly string[] = ["cursor", "vscode", "vscode-insiders", "windsurf", "zed", "claude"];

const MOST_CHARACTERS = 2048;

/** Where an answer goes, as an owner is told. */
export type RedirectTarget = ReturnType<typeof describeRedirect>;

/**
 * Reads a redirect address: https, http on the loopback interface, or the private scheme of a program, which has a dot
 * unless the program is known. Null for any other, for one with credentials or a fragment, and for one that parsers may
 * read in two ways.
 */
export function readRedirect(text: string): URL | null {
  if (text.length > MOST_CHARACTERS || !/^[\x21-\x7e]+$/.test(text) || /[\\#]/.test(text)) return null;
  const url = URL.parse(text);
  if (url === null || url.username !== "" || url.password !== "") return null;
  const scheme = url.protocol.slice(0, -1);
  if (scheme !== "https" && scheme !== "http")
    return scheme.includes(".") || KNOWN_SCHEMES.includes(scheme) ? url : null;
  if (!/^https?:\/\/[^/]/i.test(text)) return null;
  return scheme === "https" || LOOPBACK.has(url.hostname) ? url : null;
}

/** Whether a client that named `registered` may have its answer at `asked`: the same text, or another loopback port. */
export function matchesRedirect(registered: string, asked: string): boolean {
  const [known, wanted] = [readRedirect(registered), readRedirect(asked)];
  if (known === null || wanted === null) return false;
  if (registered === asked) return true;
  return isLoopback(known) && isLoopback(wanted) && withoutPort(known) === withoutPort(wanted);
}

/**
 * Where an address leads: its host, with its letters outside of ASCII as punycode, or `scheme:` for a program that has one
 * of its own; and whether it is a program on the owner's own computer, which nothing proves to be the one that it says.
 */
export function describeRedirect(text: string) {
  const url = readRedirect(text);
  if (url === null) throw new Error("a redirect address that was read before cannot be read");
  const isWeb = url.protocol === "https:" || url.protocol === "http:";
  return { host: isWeb ? url.hostname : url.protocol, isLocal: !isWeb || LOOPBACK.has(url.hostname) };
}

function isLoopback({ protocol, hostname }: URL): boolean {
  return (protocol === "http:" || protocol === "https:") && LOOPBACK.has(hostname);
}

function withoutPort(url: URL): string {
  const copy = new URL(url);
  copy.port = "";
  return copy.href;
}

/** The redirect address with the members of an answer behind its own query, which stays as it is. */
export function answerAt(redirectUri: string, members: Record<string, string | null>): string {
  const told = Object.entries(members).filter((member): member is [string, string] => member[1] !== null);
  return `${redirectUri}${redirectUri.includes("?") ? "&" : "?"}${new URLSearchParams(told)}`;
}
