import { connect } from "node:net";

// node load-client.ts URL CONNECTIONS SECONDS HEADER…: asks for one address over and over, each connection waiting for
// its answer, and prints how many answers came and how many of them had another status than 200 or 304.
const [address = "", connections = "1", seconds = "1", ...headers] = process.argv.slice(2);
const url = new URL(address);
const request = Buffer.from(
  [`GET ${url.pathname} HTTP/1.1`, `Host: ${url.host}`, ...headers, "", ""].join("\r\n"),
);
const HEAD_END = Buffer.from("\r\n\r\n");
let answered = 0;
let refused = 0;
let isOver = false;

function open(): void {
  const socket = connect(Number(url.port), url.hostname, () => socket.write(request));
  let missing = 0;
  socket.on("data", (chunk) => {
    if (missing === 0) missing = readHead(chunk);
    else missing -= chunk.length;
    if (missing > 0) return;
    answered++;
    if (isOver) socket.destroy();
    else socket.write(request);
  });
}

/** Bytes of the body that are still to come; heads of these servers come in one piece. */
function readHead(chunk: Buffer): number {
  const end = chunk.indexOf(HEAD_END);
  const head = chunk.toString("latin1", 0, end);
  const status = head.slice(9, 12);
  if (status !== "200" && status !== "304") refused++;
  const length = status === "304" ? 0 : Number(/content-length: (\d+)/i.exec(head)?.[1]);
  return length - (chunk.length - end - HEAD_END.length);
}

for (let count = 0; count < Number(connections); count++) open();
setTimeout(() => {
  isOver = true;
  console.log(JSON.stringify({ answered, refused }));
  process.exit(0);
}, Number(seconds) * 1000);
