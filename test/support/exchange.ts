import { openRaw } from "./raw-socket.ts";

/**
 * Sends bytes over a connection of its own, and gives all received text once this many answers have arrived.
 */
export async function exchange(port: number, bytes: string, answers = 1): Promise<string> {
  const connection = openRaw(port);
  const isHead = bytes.startsWith("HEAD ");
  const complete = new Promise<string>((resolve) => {
    connection.socket.on("data", () => {
      if (countAnswers(connection.soFar(), isHead) >= answers) resolve(connection.soFar());
    });
  });
  connection.write(bytes);
  const came = await Promise.race([complete, connection.closed]);
  connection.socket.destroy();
  return came;
}

/** The number of complete answers in a text; "100 Continue" is none. */
function countAnswers(text: string, isHead: boolean): number {
  let count = 0;
  let rest = text;
  for (;;) {
    const head = /^HTTP\/1\.1 (\d{3})[\s\S]*?\r\n\r\n/.exec(rest);
    if (head === null) return count;
    const hasBody = !isHead && !/^(1..|204|304)$/.test(head[1] ?? "");
    const bytes = hasBody ? Number(/^content-length: (\d+)/im.exec(head[0])?.[1] ?? 0) : 0;
    if (rest.length < head[0].length + bytes) return count;
    rest = rest.slice(head[0].length + bytes);
    if (!head[1]?.startsWith("1")) count++;
  }
}
