import { connect } from "node:net";

/** A process of its own that opens connections and says nothing on them: PORT, COUNT; it ends when all were closed. */
const [port, count] = process.argv.slice(2).map(Number) as [number, number];
const AT_ONCE = 250;
let closed = 0;
let answered = 0;

for (let opened = 0; opened < count; opened += AT_ONCE) {
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, count - opened) }, open));
}
console.log(JSON.stringify({ msg: "all open", count, closed }));
if (closed === count) reportEnd();

function open(): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", resolve);
    socket.on("data", (bytes) => {
      if (bytes.toString("latin1").startsWith("HTTP/1.1 408")) answered++;
    });
    socket.on("error", () => resolve());
    socket.on("close", () => {
      closed++;
      if (closed === count) reportEnd();
    });
  });
}

function reportEnd(): void {
  console.log(JSON.stringify({ msg: "all closed", answered }));
}
