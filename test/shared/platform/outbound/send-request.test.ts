import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { VERSION } from "../../../../shared/ground/version.ts";
import { loadConfig } from "../../../../shared/platform/config.ts";
import type { Purpose } from "../../../../shared/platform/outbound/allowed-hosts.ts";
import { openOutboundNetwork } from "../../../../shared/platform/outbound/network.ts";
import { sendRequest } from "../../../../shared/platform/outbound/send-request.ts";
import { allow } from "../../../support/allow.ts";
import { openReceiver } from "../../../support/hostile-receiver.ts";
import { openOutboundNetwork as openTestNetwork, PUBLIC_ADDRESS } from "../../../support/outbound-network.ts";
import { GET, sendAndTell } from "../../../support/send-and-tell.ts";
import { CERTIFICATE, CERTIFICATE_KEY } from "../../../support/tls-certificate.ts";

test("a request is sent as it was given, and an answer comes back as it is", async () => {
  const text = "HTTP/1.1 201 Created\r\nx-kept: yes\r\ncontent-length: 5\r\n\r\nhello";
  const receiver = await openReceiver((socket) => socket.end(text));
  const answer = await sendRequest(openOutboundNetwork(allow(receiver.host)), {
    ...{ ...GET, method: "POST", url: `${receiver.url}?a=1#part` },
    headers: { "content-type": "application/json" },
    body: '{"é":1}',
  });
  expect(answer).toMatchObject({ status: 201, headers: { "x-kept": "yes" } });
  expect(answer.body.toString()).toBe("hello");
  const [head = "", body] = receiver.received.split("\r\n\r\n");
  expect(head.split("\r\n")).toEqual([
    "POST /hook?a=1 HTTP/1.1",
    "content-type: application/json",
    `host: ${receiver.host}`,
    `user-agent: Broadsheet/${VERSION}`,
    "accept-encoding: identity",
    "connection: close",
    "content-length: 8",
  ]);
  expect(Buffer.from(body ?? "", "latin1").toString("utf8")).toBe('{"é":1}');
});

describe("an address", () => {
  const outside = openTestNetwork();

  test.each([
    ["http://tides.org/", "another scheme"],
    ["ftp://tides.org/", "another scheme"],
    ["https://tides.org:8443/", "another port"],
    ["https://user@tides.org/", "a user name"],
    ["https://:secret@tides.org/", "a password"],
    ["https://tides.org\\@evil.org/", "a backslash"],
    ["https://tides.org/a b", "a blank"],
    ["https://tides.org/\r\nx: y", "a line end"],
    ["https://", "no host"],
    ["https://127.0.0.1/", "the loopback address"],
    ["https://2130706433/", "a decimal host"],
    ["https://0x7f000001/", "a hexadecimal host"],
    ["https://0177.0.0.1/", "an octal host"],
    ["https://127.1/", "a short host"],
    ["https://１２７.0.0.1/", "wide digits"],
    ["https://[::1]/", "the loopback address of IPv6"],
    ["https://[::ffff:127.0.0.1]/", "IPv4 in IPv6"],
    ["https://[::ffff:93.184.215.14]/", "IPv4 in IPv6"],
    ["https://[64:ff9b::7f00:1]/", "IPv4 behind NAT64"],
    ["https://169.254.169.254/latest/meta-data/", "the data of a cloud's machine"],
  ])("%j, %s, is refused before any name is looked up", async (url) => {
    expect(await sendAndTell(outside.network, { url })).toBe("refused_address");
    expect(outside.spokenTo).toEqual([]);
  });

  test("of the open internet is spoken to without a look-up, and a name by its first address", async () => {
    const url = `https://${PUBLIC_ADDRESS}/`;
    expect([await sendAndTell(outside.network, { url }), outside.spokenTo]).toEqual([
      200,
      [`${PUBLIC_ADDRESS} ${PUBLIC_ADDRESS}`],
    ]);
    expect(await sendAndTell(outside.network, { url: "https://tides.org./" })).toBe(200);
  });

  test("is public in each of its answers, or nothing is spoken to", async () => {
    for (const closed of ["127.0.0.1", "10.0.0.7", "::1", "::ffff:10.0.0.7", "fe80::1"]) {
      outside.addresses["tides.org"] = [[PUBLIC_ADDRESS, closed]];
      expect(await sendAndTell(outside.network, { url: "https://tides.org/" })).toBe("not_public");
    }
    expect(outside.spokenTo).toEqual([]);
    expect(await sendAndTell(outside.network, { url: "https://nowhere.org/" })).toBe("unresolved");
  });

  test("is resolved once: a name that is rebound meanwhile is spoken to at the checked address", async () => {
    let looks = 0;
    const listAddresses = async () => (looks++ === 0 ? [PUBLIC_ADDRESS] : ["127.0.0.1"]);
    const network = { ...outside.network, listAddresses };
    expect(await sendAndTell(network, { url: "https://tides.org/" })).toBe(200);
    expect([looks, outside.spokenTo]).toEqual([1, [`${PUBLIC_ADDRESS} tides.org`]]);
    expect(await sendAndTell(network, { url: "https://tides.org/" })).toBe("not_public");
    expect([looks, outside.spokenTo.length]).toEqual([2, 1]);
  });

  test("that operators allow is excepted by host, port, path and purpose", async () => {
    const entries =
      "Localhost:8080, [::1]:80/Hooks,127.0.0.1:443/one,domain=wiki.internal:443,hub=localhost:9000";
    const allowed = new Set(loadConfig({ OUTBOUND_ALLOW: entries }).outboundAllow);
    const network = { ...outside.network, allowed, listLocalAddresses: async () => ["::1"] };
    const tell = (purpose: Purpose, url: string) => sendAndTell(network, { purpose, url });
    for (const purpose of ["webhook", "client"] as const) {
      expect(await tell(purpose, "http://LOCALHOST:8080/any?path=1")).toBe(200);
      expect(await tell(purpose, "http://[::1]/a/../Hooks?b")).toBe(200);
      expect(await tell(purpose, "https://127.0.0.1/one?a=1")).toBe(200);
    }
    expect(await tell("domain", "https://wiki.internal/.well-known/broadsheet.txt")).toBe(200);
    expect(await tell("hub", "http://localhost:9000/")).toBe(200);
    for (const url of [
      ...["http://localhost:8081/", "http://127.0.0.1/", "https://127.0.0.1:8080/", "http://localhost:9000/"],
      ...["http://[::1]/Hooks/", "http://[::1]/hooks", "http://[::1]/Hooks/../a", "http://[::1]/Hooks%2f"],
      ...["https://127.0.0.1/one/two", "https://127.0.0.1/On%65", "http://wiki.internal:443/"],
    ])
      expect(await tell("webhook", url), url).toBe("refused_address");
    expect(await tell("domain", "http://localhost:8080/")).toBe("refused_address");
    expect(await tell("webhook", "https://wiki.internal/")).toBe("unresolved");
  });

  test.each([
    "hooks",
    "hooks:",
    "http://hooks:80",
    "hooks:0",
    "hooks:70000",
    "a:1,,b:2",
    "a b:1",
    "hooks:80/x?y=1",
    "hooks:80x",
    "everything=hooks:80",
    "Webhook=hooks:80",
  ])("OUTBOUND_ALLOW=%j stops the start", (OUTBOUND_ALLOW) => {
    expect(() => loadConfig({ OUTBOUND_ALLOW })).toThrow(
      /^OUTBOUND_ALLOW cannot be used: \[purpose=\]host:port/,
    );
  });
});

describe("a host with TLS", () => {
  let heard = 0;
  const server = createServer({ cert: CERTIFICATE, key: CERTIFICATE_KEY }, (_incoming, reply) => {
    heard++;
    reply.end("hello");
  });
  const trusted = getCACertificates();
  const port = () => (server.address() as AddressInfo).port;
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  });
  afterAll(() => {
    setDefaultCACertificates(trusted);
    server.closeAllConnections();
    server.close();
  });

  test("is believed by its certificate alone, for the name of the address", async () => {
    const network = openOutboundNetwork(allow(`localhost:${port()}`, `127.0.0.1:${port()}`));
    const local = { ...network, listLocalAddresses: async () => ["127.0.0.1"] };
    const url = `https://localhost:${port()}/`;
    expect([await sendAndTell(local, { url }), heard]).toEqual(["tls_failed", 0]);
    setDefaultCACertificates([...trusted, CERTIFICATE]);
    expect([await sendAndTell(local, { url }), heard]).toEqual([200, 1]);
    const byAddress = await sendAndTell(local, { url: `https://127.0.0.1:${port()}/` });
    expect([byAddress, heard]).toEqual(["tls_failed", 1]);
  });

  test("is not believed where it speaks without TLS", async () => {
    const receiver = await openReceiver((socket) => socket.end("HTTP/1.1 200 OK\r\n\r\n"));
    const network = openOutboundNetwork(allow(receiver.host));
    expect(await sendAndTell(network, { url: `https://${receiver.host}/` })).toBe("tls_failed");
  });
});
