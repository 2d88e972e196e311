/**
 * The path of a request as the router reads it, percent-decoded; as it came where it cannot be decoded. Whatever
 * depends on the path asks here: `/%63onsole` is `/console`.
 */
export function readPath({ url }: { url: string }): string {
  const path = url.split("?", 1)[0] ?? "/";
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
