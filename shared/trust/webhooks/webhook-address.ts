import { validationFailed } from "../../ground/errors.ts";
import type { Deps } from "../../platform/deps.ts";
import { OutboundError } from "../../platform/outbound/outbound-error.ts";
import { readTarget } from "../../platform/outbound/target.ts";
import { findUrlFault } from "../../requests/urls.ts";

export const MOST_URL_CHARACTERS = 2_048;

/** The address of a receiver; throws 422 on `url` unless the service may ever speak to it. */
export function readWebhookAddress(
  { outboundNetwork }: Pick<Deps, "outboundNetwork">,
  given: string,
): string {
  const url = given.trim();
  if (url === "") throw refuse("is needed");
  if (url.length > MOST_URL_CHARACTERS) throw refuse(`has at most ${MOST_URL_CHARACTERS} characters`);
  try {
    if (readTarget(outboundNetwork.allowed, url).isAllowed) return url;
  } catch (error) {
    if (error instanceof OutboundError) throw validationFailed({ url: [error.message] });
    throw error;
  }
  const fault = findUrlFault(url, null);
  if (fault !== null) throw refuse(fault);
  return url;
}

function refuse(rule: string) {
  return validationFailed({ url: [`The address ${rule}.`] });
}
