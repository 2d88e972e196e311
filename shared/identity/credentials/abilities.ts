/** The abilities that a token can have. */
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
