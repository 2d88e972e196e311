import { z } from "zod";
import { atMost, describeMember, textOf } from "./members.ts";

// No tag of the registry begins with a longer word; Intl takes `english` for one.
const BEGINNING = /^[a-z]{2,3}(?:-|$)/i;
const CHARACTERS = 35;

/** A language tag (BCP 47) in any case, read in the case of the standard. */
export function languageField() {
  return z
    .string()
    .overwrite((text) => findTag(text.trim()) ?? text.trim())
    .check(atMost(CHARACTERS))
    .refine(
      (text) => findTag(text) !== null,
      "must be a language tag of BCP 47, such as en, pt-BR or zh-Hant",
    );
}

function findTag(text: string): string | null {
  if (!BEGINNING.test(text)) return null;
  try {
    return Intl.getCanonicalLocales(text)[0] ?? null;
  } catch {
    return null;
  }
}

/** The `language` of a payload: emitted only where it was sent, so that checksums stay. */
export function optionalLanguageField() {
  return describeMember(
    languageField().nullish(),
    "The language that the work is written in, as a tag of BCP 47 in any case. Left out or null: the default_language of your published profile, else not said.",
    "pt-BR",
  );
}

/** The language of a stored payload, else the one that the agent's profile names; null where neither does. */
export function languageOf(payload: unknown, profile: unknown): string | null {
  return textOf(payload, "language") ?? textOf(profile, "default_language");
}
