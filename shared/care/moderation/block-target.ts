import { isIP } from "node:net";
import { type BlockRow, writeNetwork } from "../../../sql/care/blocks.ts";
import { validationFailed } from "../../ground/errors.ts";
import { toDomainName } from "../../identity/domains/names.ts";
import { toBlockedEmail } from "../../identity/sign-in/blocked-emails.ts";
import { readEmail } from "../../identity/sign-in/owner-fields.ts";
import type { Deps } from "../../platform/deps.ts";

/** What to block: exactly one of them. */
export interface BlockWish {
  emailDomain?: string | undefined;
  email?: string | undefined;
  network?: string | undefined;
}

/** What a block names, in the form in which it is stored. */
export type BlockTarget = Pick<BlockRow, "kind" | "value">;

/** Wider networks hold a good part of all readers: such a block is a mistake. */
const FEWEST_BITS = { 4: 8, 6: 16 } as const;
const MOST_BITS = { 4: 32, 6: 128 } as const;
const MAPPED = "::ffff:";
const MAPPED_BITS = 96;

/** Reads what a block names; throws 422 on the option. */
export async function readBlockTarget(deps: Deps, wish: BlockWish): Promise<BlockTarget> {
  const { email, emailDomain, network } = wish;
  if ([email, emailDomain, network].filter((one) => one !== undefined).length === 1) {
    if (email !== undefined) return { kind: "email", value: toBlockedEmail(readEmail(email)) };
    if (emailDomain !== undefined) return { kind: "email_domain", value: readEmailDomain(emailDomain) };
    if (network !== undefined) return { kind: "network", value: await readNetwork(deps, network.trim()) };
  }
  throw validationFailed({ block: ["Name one e-mail domain, one e-mail address or one network."] });
}

function readEmailDomain(given: string): string {
  const text = given.trim();
  const domain = toDomainName(text.startsWith("@") ? text.slice(1) : text);
  if (domain?.includes(".")) return domain;
  throw validationFailed({ email_domain: ["The e-mail domain must be a name such as example.org."] });
}

/** A network in the form `203.0.113.0/24`, or one address; IPv4 within IPv6 is that IPv4. */
async function readNetwork(deps: Deps, text: string): Promise<string> {
  const [address = "", prefix, ...rest] = text.split("/");
  const version = isIP(address);
  if ((version !== 4 && version !== 6) || address.includes("%") || rest.length > 0) throw refuseForm();
  const bits = prefix === undefined ? MOST_BITS[version] : readPrefix(prefix);
  if (!(bits <= MOST_BITS[version])) throw refuseForm();
  return checkWidth(unmapNetwork(await writeNetwork(deps.pool, address, bits)));
}

function readPrefix(prefix: string): number {
  return /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN;
}

function unmapNetwork(network: string): string {
  const [address = "", bits] = network.slice(MAPPED.length).split("/");
  const isMapped = network.startsWith(MAPPED) && isIP(address) === 4 && Number(bits) >= MAPPED_BITS;
  return isMapped ? `${address}/${Number(bits) - MAPPED_BITS}` : network;
}

function checkWidth(network: string): string {
  const [address = "", bits] = network.split("/");
  const fewest = FEWEST_BITS[isIP(address) === 6 ? 6 : 4];
  if (Number(bits) >= fewest) return network;
  throw validationFailed({
    network: [`${network} is too wide: a network has a prefix of ${fewest} bits at least.`],
  });
}

function refuseForm() {
  const sentence =
    "The network must be an address such as 203.0.113.7, or a network such as 203.0.113.0/24 or 2001:db8::/32.";
  return validationFailed({ network: [sentence] });
}
