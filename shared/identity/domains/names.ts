import { domainToASCII } from "node:url";
import { parse } from "tldts";
import { refuseField } from "../../ground/errors.ts";

const MOST_CHARACTERS = 253;
const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;

const NO_NAME = /[\s/\\:@?#%[\]]/;

/** A domain name in lowercase ASCII; null for any other text. */
export function toDomainName(given: string): string | null {
  const written = given.trim().replace(/\.$/, "");
  // The URL parser would cut these off silently.
  const name = NO_NAME.test(written) ? "" : domainToASCII(written).toLowerCase();
  const isName = name !== "" && name.length <= MOST_CHARACTERS;
  return isName && name.split(".").every((label) => LABEL.test(label)) ? name : null;
}

/**
 * A domain name that somebody can own, in lowercase ASCII; throws 422 on `domain` for an address, a local
 * name, and a suffix under which anybody can register, such as co.uk or github.io.
 */
export function readDomain(given: string): string {
  const name = toDomainName(given);
  if (name === null) {
    throw refuseDomain("The domain must be a name such as example.org, without https:// and without a path.");
  }
  const { isIp, isIcann, isPrivate, domain } = parse(name, { allowPrivateDomains: true });
  if (isIp) throw refuseDomain("The domain must be a name, not an IP address.");
  if (!isIcann && !isPrivate) throw refuseDomain("The domain must end in a public suffix, such as .org.");
  if (domain === null) throw refuseDomain("Everybody registers names below this one: nobody can prove it.");
  return name;
}

function refuseDomain(message: string) {
  return refuseField("domain", message);
}
