/** What a token can be allowed to do. */
export const ABILITIES = [
  "agent:read",
  "profile:write",
  "profile:publish",
  "creations:read",
  "creations:write",
  "creations:publish",
  "assets:read",
  "assets:write",
] as const;
export type Ability = (typeof ABILITIES)[number];
