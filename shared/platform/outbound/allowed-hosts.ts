const ENTRY = /^(\[[0-9a-f:.]{2,45}\]|[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?):(\d{1,5})$/;

/** The `host:port` of OUTBOUND_ALLOW, each as an address spells it; null where one is something else. */
export function readAllowedHosts(text: string): string[] | null {
  const entries = text.split(",").map((entry) => readEntry(entry.trim().toLowerCase()));
  return entries.every((entry) => entry !== null) ? entries : null;
}

function readEntry(entry: string): string | null {
  const [, host, port] = ENTRY.exec(entry) ?? [];
  // The scheme has no port of its own, so that none is left out.
  const hostname = host === undefined ? undefined : URL.parse(`http://${host}/`)?.hostname;
  const number = Number(port);
  return hostname === undefined || number < 1 || number > 65_535 ? null : `${hostname}:${number}`;
}
