/** A request as it stands on the wire. */
export interface WireCase {
  name: string;
  bytes: string;
  /** How many answers it gets; one unless told. */
  answers?: number;
}

const HOST = { Host: "localhost" };
/** An address much longer than any page has. */
const LONG = `/@tide/story${"/".repeat(256)}`;

function write(line: string, headers: Record<string, string> = HOST, body = ""): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${line}\r\n${lines.join("")}\r\n${body}`;
}

const get = (path: string): WireCase => ({
  name: `GET ${path.slice(0, 40)}`,
  bytes: write(`GET ${path} HTTP/1.1`),
});

/** A GET of a story's page with more headers. */
const story = (name: string, headers: Record<string, string>, body = ""): WireCase => ({
  name,
  bytes: write("GET /@tide/story HTTP/1.1", { ...HOST, ...headers }, body),
});

const line = (start: string, headers: Record<string, string> = HOST): WireCase => ({
  name: `${start}, ${Object.keys(headers).join(" and ") || "no headers"}`,
  bytes: write(start, headers),
});

const ADDRESSES = [
  ...["/", "/@tide", "/@tide/section/north", "/@tide/story", "/@tide/quiet", "/@tide/hidden"],
  ...["/@tide/story/revisions", "/@tide/story/revisions/1", "/@tide/quiet/revisions/1..1", "/@tide/story/"],
  ...["/@tide/st%6Fry", "/@tide/section/north/", "/@tide/"],
  ...["/@tide/draft", "/@tide/nothing", "/@nobody", "/@tide/section/none", "/@tide/story/revisions/9"],
  ...["/@tide/story.json", "/@tide/quiet.json", "/@tide/feed.xml", "/docs", "/search", "/robots.txt"],
  ...["/@tide/story?x=1", "/@tide/story?", "/?", "//@tide/story", "/@tide//story", "/@TIDE/story"],
  ...["/%40tide/story", "/@tide/%ff", "/@tide/story%00", "/@tide/story;x=1", "/@tide/../@tide/story", LONG],
  "http://localhost/@tide/story",
].map(get);

/** Conditions; `etag` is the story's own, with its quotes. */
const conditions = (etag: string): WireCase[] => [
  story("its ETag", { "If-None-Match": etag }),
  story("its ETag, weak", { "If-None-Match": `W/${etag}` }),
  story("a list with its ETag", { "If-None-Match": `"a", W/"b",${etag}, "c"` }),
  story("a list behind a tab", { "If-None-Match": `"a",\t${etag}` }),
  story("a list without its ETag", { "If-None-Match": '"a", "b"' }),
  story("any ETag", { "If-None-Match": "*" }),
  story("any ETag, in quotes", { "If-None-Match": '"*"' }),
  story("its ETag without quotes", { "If-None-Match": etag.replaceAll('"', "") }),
  story("an empty If-None-Match", { "If-None-Match": "", "If-Modified-Since": LATER }),
  story("two lines of ETags", { "If-None-Match": '"a"', "if-none-match": etag }),
  story("If-Modified-Since later", { "If-Modified-Since": LATER }),
  story("If-Modified-Since, no date", { "If-Modified-Since": "never" }),
  story("another ETag and a later date", { "If-None-Match": '"a"', "If-Modified-Since": LATER }),
  story("its ETag, no-cache", { "If-None-Match": etag, "Cache-Control": "no-cache" }),
  { ...line(`HEAD /@tide/story HTTP/1.1`, { ...HOST, "If-None-Match": etag }), name: "HEAD with its ETag" },
];

const LATER = "Fri, 01 Jan 2100 00:00:00 GMT";

const METHODS = ["HEAD", "OPTIONS", "POST", "PUT", "DELETE", "PROPFIND", "get"].map((method) =>
  line(`${method} /@tide/story HTTP/1.1`),
);

const VERSIONS = [
  line("GET /@tide/story HTTP/1.0"),
  line("GET /@tide/story HTTP/1.0", { ...HOST, Connection: "keep-alive" }),
  line("GET /@tide/story HTTP/1.0", {}),
  line("GET /@tide/story HTTP/1.1", {}),
  line("GET /@tide/story HTTP/2.0"),
  line("GET /@tide/story HTTP/1.9"),
];

const BODIES = [
  story("an empty body", { "Content-Length": "0" }),
  story("a body", { "Content-Length": "2" }, "ab"),
  story("a body of JSON", { "Content-Length": "2", "Content-Type": "application/json" }, "{}"),
  story("a body in chunks", { "Transfer-Encoding": "chunked" }, "2\r\nab\r\n0\r\n\r\n"),
  story("a packed body", { "Content-Encoding": "gzip" }),
  story("a body as it is", { "Content-Encoding": "identity" }),
  story("a body in another coding", { "Transfer-Encoding": "gzip, chunked" }, "0\r\n\r\n"),
];

const HEADERS = [
  story("an empty Host", { Host: "" }),
  story("another Host", { Host: "example.org" }),
  story("100-continue", { Expect: "100-continue" }),
  story("another expectation", { Expect: "tea" }),
  story("Connection: close", { Connection: "close" }),
  story("an upgrade", { Connection: "Upgrade", Upgrade: "websocket" }),
  story("Accept of another form", { Accept: "application/json" }),
  story("Accept of anything", { Accept: "*/*" }),
  story("Accept of a browser", { Accept: "text/html,application/xhtml+xml,*/*;q=0.8" }),
  story("Accept-Encoding", { "Accept-Encoding": "gzip, br" }),
  story("Accept-Version", { "Accept-Version": "2" }),
  story("Range", { Range: "bytes=0-9" }),
  story("Origin", { Origin: "https://example.org" }),
  story("a cookie and a token", { Cookie: "session=x", Authorization: "Bearer x" }),
  story("a request id of its own", { "X-Request-Id": "mine" }),
  story("a forwarded address", { "X-Forwarded-For": "192.0.2.1" }),
  { name: "two requests at once", bytes: write("GET /@tide HTTP/1.1").repeat(2), answers: 2 },
];

/** Every request that is sent to both processes. */
export function listCases(etag: string): WireCase[] {
  return [...ADDRESSES, ...conditions(etag), ...METHODS, ...VERSIONS, ...BODIES, ...HEADERS];
}

/** Pages that are asked for while a process stops, turns requests away or cannot read versions. */
export const PAGES: readonly WireCase[] = ADDRESSES.slice(0, 9);
