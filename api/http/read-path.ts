/** The path of a request, percent-decoded as the router reads it, or as it came: `/%63onsole` is `/console`. */
export function readPath({ url }: { url: string }): string {
  const path = url.split("?", 1)[0] ?? "/";
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
