import type { z } from "zod";
import { countCodePoints } from "../core/text.ts";
import { blanksToNull, blankToNull } from "./blanks.ts";
import type { CreationType } from "./creation-types.ts";
import { withoutLeftOut } from "./left-out.ts";
import { isRecord, type LiftedRequest } from "./lift-envelope.ts";
import type { PayloadOptions } from "./options.ts";
import { PUBLIC_VISIBILITIES, type PublicVisibility } from "./publishing.ts";
import { schemasFor } from "./schemas.ts";
import { foldLineEnds } from "./text-fields.ts";

/** What of a refused body can be looked at further: each member that is valid by itself. */
export interface SoundBody {
  type: CreationType | null;
  slug: string | null;
  section: string | null;
  change_summary: string | null;
  minor: boolean;
  /** Of `publish` or `schedule`, whichever is sent. */
  visibility: PublicVisibility | null;
  /** Members of the payload; a text stands in it although something in it is refused, as its other blocks are asked. */
  payload: Record<string, unknown>;
}

/** Nothing of a body. */
export const NOTHING_SOUND: SoundBody = {
  type: null,
  slug: null,
  section: null,
  change_summary: null,
  minor: false,
  visibility: null,
  payload: {},
};

/** Each member of a refused body that is valid by itself, by the schemas that refused the whole. */
export function readSoundBody(
  type: CreationType | null,
  { envelope, payload }: Pick<LiftedRequest, "envelope" | "payload">,
  options: PayloadOptions,
): SoundBody {
  const { slug, section, change_summary, minor, publish, schedule } = blankToNull(
    readSoundMembers(schemasFor(options).envelope.shape, { ...envelope }),
  );
  return {
    type,
    slug: typeof slug === "string" ? slug : null,
    section: typeof section === "string" ? section : null,
    change_summary: typeof change_summary === "string" ? change_summary : null,
    minor: minor === true,
    visibility: visibilityOf(publish ?? schedule),
    payload: type === null || !isRecord(payload) ? {} : readSoundPayload(type, payload, options),
  };
}

function visibilityOf(release: unknown): PublicVisibility | null {
  const sent = isRecord(release) ? release.visibility : null;
  return PUBLIC_VISIBILITIES.find((one) => one === sent) ?? null;
}

function readSoundPayload(
  type: CreationType,
  payload: Record<string, unknown>,
  options: PayloadOptions,
): Record<string, unknown> {
  const { shape } = schemasFor(options).payloads[type];
  const { body_markdown: hasText, ...others }: Readonly<Record<string, z.ZodType>> = shape;
  const sent = withoutLeftOut(payload, shape);
  const sound = blanksToNull(readSoundMembers(others, sent));
  if (hasText === undefined) return sound;
  // Reading a text again would take as long as all else together, and only its line ends are changed.
  const text = readShortText(sent.body_markdown, options);
  if (text !== null) return { ...sound, body_markdown: text };
  // Without their text nothing can be said of figures.
  const { figures: _, ...rest } = sound;
  return rest;
}

/** A text no longer than one may be: where it is refused, its blocks are read as those of any other. */
function readShortText(text: unknown, { limits: { bodyCharacters } }: PayloadOptions): string | null {
  if (typeof text !== "string" || text.length > 2 * bodyCharacters) return null;
  return countCodePoints(text) > bodyCharacters ? null : foldLineEnds(text);
}

function readSoundMembers(
  shape: Readonly<Record<string, z.ZodType>>,
  members: Record<string, unknown>,
): Record<string, unknown> {
  const sound = Object.entries(shape).flatMap(([name, schema]) => {
    const { data } = schema.safeParse(members[name]);
    return data === undefined ? [] : [[name, data] as const];
  });
  return Object.fromEntries(sound);
}
