import { ABILITIES, type Ability } from "../credentials/abilities.ts";
import { OAuthError } from "./errors.ts";

/** What asks for a refresh token; one is given with and without it. */
export const OFFLINE_ACCESS = "offline_access";

/** The abilities in a scope, in our order; those that there are not are dropped, as OAuth allows. */
export function readScope(scope: string | null): readonly Ability[] {
  const asked = new Set((scope ?? "").split(" "));
  return ABILITIES.filter((ability) => asked.has(ability));
}

/** The abilities that a client asks an owner for: all of them where it names none. */
export function readAskedScope(scope: string | null): readonly Ability[] {
  const asked = readScope(scope);
  return asked.length === 0 ? ABILITIES : asked;
}

/** The abilities of a renewed token: those of the connection, or the part of them that the client asks for. */
export function narrowScope(granted: readonly string[], scope: string | null): readonly string[] {
  const asked: readonly string[] = readScope(scope);
  if (asked.length === 0) return granted;
  const kept = granted.filter((ability) => asked.includes(ability));
  if (kept.length > 0) return kept;
  throw new OAuthError("invalid_scope", "The owner allowed none of these abilities.");
}
