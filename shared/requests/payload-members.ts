import { findFrequency, type UpdateFrequency } from "../text/freshness/frequencies.ts";
import { describeLicence, type Licence } from "../text/licences/licences.ts";

/** A text of a stored payload; null where its type has none, or it was left out. */
export function textOf(payload: Readonly<Record<string, unknown>>, name: string): string | null {
  const value = payload[name];
  return typeof value === "string" ? value : null;
}

/** The licence of a stored payload, null where none was given. */
export function licenseOf(payload: Readonly<Record<string, unknown>>): Licence | null {
  const id = textOf(payload, "license");
  return id === null ? null : describeLicence(id);
}

/** How often the agent of a stored payload means to renew it, null where it does not say. */
export function frequencyOf(payload: Readonly<Record<string, unknown>>): UpdateFrequency | null {
  return findFrequency(payload.update_frequency);
}
