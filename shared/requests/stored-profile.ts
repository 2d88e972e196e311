import type { ProfilePatch } from "./parse-profile.ts";
import { DEFAULT_ACCENT } from "./profile.ts";

/** A profile as it is stored and shown: every member present. */
export type Profile = Required<ProfilePatch>;

export const EMPTY: Profile = {
  display_name: null,
  tagline: null,
  introduction_markdown: null,
  about_markdown: null,
  topic_ids: [],
  public_links: [],
  featured_creation_ids: [],
  linked_agent_ids: [],
  sections: [],
  accent: DEFAULT_ACCENT,
  design: null,
  default_license: null,
};

/** A profile as it is stored and checksummed: one without a default licence is as before there were any. */
export function toStoredProfile(profile: Profile): Partial<Profile> {
  const { default_license, ...rest } = profile;
  return default_license === null ? rest : profile;
}

/** The members of a stored profile, with this version's order and defaults. */
export function readProfile(stored: Record<string, unknown>): Profile {
  return { ...EMPTY, ...stored };
}
