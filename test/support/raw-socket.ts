import { connect, type Socket } from "node:net";

/** A connection whose bytes a test writes itself. */
export interface RawConnection {
  socket: Socket;
  write(text: string | Buffer): void;
  /** All received text, once the other side has closed. */
  closed: Promise<string>;
  /** The text received so far. */
  soFar(): string;
}

/** Opens a connection to a port of this machine. */
export function openRaw(port: number): RawConnection {
  const socket = connect(port, "127.0.0.1");
  let text = "";
  socket.on("data", (chunk) => {
    text += chunk.toString("latin1");
  });
  const closed = new Promise<string>((resolve) => {
    socket.on("error", () => undefined);
    socket.on("close", () => resolve(text));
  });
  return {
    socket,
    closed,
    soFar: () => text,
    write: (bytes) => void (socket.destroyed || socket.write(bytes)),
  };
}

/** Writes the bytes one by one, `everyMs` apart, until the other side closes. */
export function drip(connection: RawConnection, text: string, everyMs: number): void {
  let place = 0;
  const timer = setInterval(() => connection.write(text.charAt(place++) || "x"), everyMs);
  connection.socket.on("close", () => clearInterval(timer));
}

/** The head of a request as it stands on the wire. */
export function headOf(line: string, headers: Record<string, string | number>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`${line} HTTP/1.1`, "Host: localhost", ...lines, "", ""].join("\r\n");
}

/** The status that an answer begins with; 0 where none came. */
export function statusOf(answer: string): number {
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0);
}
