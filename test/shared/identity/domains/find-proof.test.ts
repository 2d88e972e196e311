import { describe, expect, test } from "vitest";
import { findProof } from "../../../../shared/identity/domains/find-proof.ts";
import { readDomain } from "../../../../shared/identity/domains/names.ts";
import { isPublicAddress } from "../../../../shared/platform/outbound/closed-networks.ts";
import { openOutboundNetwork, PUBLIC_ADDRESS } from "../../../support/outbound-network.ts";

const outside = openOutboundNetwork();

const find = () => findProof(outside.network, "tides.org", "token");

describe("a proof", () => {
  test("is a TXT record of the domain's own name, and then nothing is spoken to", async () => {
    outside.texts["_broadsheet.tides.org"] = ["v=spf1 -all", "broadsheet-verify=token"];
    expect([await find(), outside.spokenTo]).toEqual([{ found: "dns", missing: {} }, []]);
  });

  test("is a line of the well-known file, read from the address that was resolved", async () => {
    expect(await find()).toEqual({
      found: "file",
      missing: { dns: "_broadsheet.tides.org has no record of type TXT." },
    });
    expect(outside.spokenTo).toEqual([`${PUBLIC_ADDRESS} tides.org`]);
    expect(outside.asked).toEqual(["tides.org/.well-known/broadsheet.txt"]);
  });

  test.each([
    ["another token", 200, {}, "broadsheet-verify=tokens", "No line of the file is the wanted text."],
    [
      "a redirect",
      302,
      { location: "https://elsewhere.org/" },
      "broadsheet-verify=token",
      "answered with 302",
    ],
    ["an error that holds it", 404, {}, "broadsheet-verify=token", "answered with 404"],
    ["a packed answer", 200, { "content-encoding": "gzip" }, "broadsheet-verify=token", "compressed"],
    ["more than 8 KiB", 200, {}, `broadsheet-verify=token\n${"x".repeat(8200)}`, "cannot be asked"],
  ])("is not %s, and says why", async (_what, status, headers, body, why) => {
    outside.answer = () => ({ status, headers: headers as Record<string, string>, body });
    const { found, missing } = await find();
    expect(found).toBe(null);
    expect(missing.file).toContain(why);
    expect(outside.asked).toHaveLength(1);
  });

  test("is not waited for longer than five seconds", async () => {
    outside.answer = () => null;
    expect((await find()).missing.file).toBe("It did not answer within 5 seconds.");
  }, 20_000);

  test.each([
    ["127.0.0.1"],
    ["10.1.2.3"],
    ["100.64.0.1"],
    ["169.254.169.254"],
    ["192.168.1.1"],
    ["0.0.0.0"],
    ["::1"],
    ["::ffff:127.0.0.1"],
    ["::ffff:93.184.215.14"],
    ["64:ff9b::7f00:1"],
    ["64:ff9b:1::1"],
    ["2002:7f00:1::"],
    ["2001:0:4136:e378::1"],
    ["fc00::1"],
    ["fe80::1"],
    ["::7f00:1"],
  ])("is not looked for at %s, also beside a public address", async (address) => {
    expect(isPublicAddress(address)).toBe(false);
    for (const list of [[address], [PUBLIC_ADDRESS, address], [address, PUBLIC_ADDRESS]]) {
      outside.addresses["tides.org"] = [list];
      expect([(await find()).found, outside.spokenTo]).toEqual([null, []]);
    }
  });

  test("of a name that is rebound is read from the first answer or not at all", async () => {
    outside.addresses["tides.org"] = [[PUBLIC_ADDRESS], ["127.0.0.1"]];
    expect([(await find()).found, outside.spokenTo]).toEqual(["file", [`${PUBLIC_ADDRESS} tides.org`]]);
    outside.addresses["tides.org"] = [["127.0.0.1"], [PUBLIC_ADDRESS]];
    expect((await find()).found).toBe(null);
    expect(outside.spokenTo).toHaveLength(1);
  });
});

test("a domain is a name below a public suffix", () => {
  expect(readDomain(" Tides.Example.CO.UK. ")).toBe("tides.example.co.uk");
  expect(readDomain("bücher.example.org")).toBe("xn--bcher-kva.example.org");
  for (const name of [
    ...["co.uk", "org", "github.io", "localhost", "server.local", "127.0.0.1", "[::1]", "2130706433"],
    ...["https://tides.org", "tides.org/x", "tides.org:443", "a@tides.org", "-a.org", "", "x".repeat(300)],
    ...["tides..org", "tides.internal", "a_b.org"],
  ]) {
    expect(() => readDomain(name), name).toThrow(/domain|Everybody|suffix/);
  }
});
