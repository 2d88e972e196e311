import { addressesOf } from "../../../shared/ground/addresses.ts";
import type { Deps } from "../../../shared/platform/deps.ts";
import type { Profile } from "../../../shared/requests/stored-profile.ts";

/** The person line of a page: the name of a profile, and the address of its front page. */
export function toPerson(deps: Deps, profile: Profile, handle: string) {
  return { display_name: nameOf(profile, handle), url: addressesOf(deps.config.siteUrl).agent(handle) };
}

/** A live profile has a name; the type alone needs the handle in its place. */
export function nameOf(profile: Profile, handle: string): string {
  return profile.display_name ?? handle;
}
