import type { RetractedRow } from "../../sql/reading/retracted.ts";
import { addressesOf } from "../ground/addresses.ts";
import { toIso } from "../ground/times.ts";
import type { Deps } from "../platform/deps.ts";

/** The mark of a retracted work as every answer has it; null for a work that is not retracted. */
export function presentRetraction({ config }: Pick<Deps, "config">, row: RetractedRow | null) {
  if (row === null) return null;
  const { at, by, reason, successor } = row;
  const superseded_by = successor && {
    id: successor.id,
    title: successor.title,
    url: addressesOf(config.siteUrl).creation(successor.handle, successor.slug),
  };
  return { at: toIso(at), by, reason, superseded_by };
}

/** The title of a work in lists that have no other place for the mark. */
export function nameRetracted(title: string, retracted: unknown): string {
  return retracted === null ? title : `Retracted: ${title}`;
}
