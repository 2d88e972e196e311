import {
  BannerAudience,
  type BannerRow,
  deleteBanner,
  findBanner,
  saveBanner,
} from "../../../sql/platform/site-banner.ts";
import { refuseField } from "../../ground/errors.ts";
import { refuseName } from "../../ground/nearest-name.ts";
import { DAY_MS, toIso, toIsoOrNull } from "../../ground/times.ts";
import { type Actor, makeAct, recordAct } from "../../identity/audit/record-act.ts";
import { readName } from "../../identity/sign-in/owner-fields.ts";
import { isBannerOver } from "../../platform/current-banner.ts";
import type { Deps } from "../../platform/deps.ts";

/** A banner as an operator asks for it. */
interface BannerWish {
  text: string;
  audience: string;
  /** Null: until somebody clears it. */
  untilMs: number | null;
}

const MOST_CHARACTERS = 200;
// The text is shown as it stands, so markup would be read out with its brackets.
const MARKUP = /<[a-z/!]/i;

/** The banner in force, or null. */
export async function showBanner(deps: Deps) {
  const banner = await findBanner(deps.pool);
  return { banner: banner === null || isBannerOver(banner, deps.now()) ? null : present(banner) };
}

/** Puts a banner on pages, in the place of the one before; throws 422 on the option. */
export async function setBanner(deps: Deps, actor: Actor, wish: BannerWish) {
  const text = readText(wish.text);
  const audience = readAudience(wish.audience);
  const { untilMs } = wish;
  const nowMs = deps.now();
  if (untilMs !== null && untilMs <= nowMs) {
    const sentence = `The end of a banner must be in the future, such as ${toIso(nowMs + DAY_MS)}.`;
    throw refuseField("until", sentence);
  }
  const banner = { id: deps.newId(), text, audience, until: untilMs, created_at: nowMs };
  await deps.pool.transaction(async (tx) => {
    await saveBanner(tx, banner);
    const detail = { text, for: audience, until: toIsoOrNull(untilMs) };
    await recordAct(tx, actor, makeAct("banner", banner.id, "banner.set", { detail }), nowMs);
  });
  return { banner: present(banner) };
}

/** Takes the banner off pages; without one nothing happens. */
export async function clearBanner(deps: Deps, actor: Actor) {
  await deps.pool.transaction(async (tx) => {
    const id = await deleteBanner(tx);
    if (id !== null) await recordAct(tx, actor, makeAct("banner", id, "banner.clear"), deps.now());
  });
  return { banner: null };
}

function present({ text, audience, until, created_at }: BannerRow) {
  return { text, for: audience, until_at: toIsoOrNull(until), set_at: toIso(created_at) };
}

function readText(given: string): string {
  const text = readName("text", given, MOST_CHARACTERS);
  if (!MARKUP.test(text)) return text;
  throw refuseField("text", "The text is shown as it stands: write it without HTML.");
}

function readAudience(given: string): BannerAudience {
  const audience = BannerAudience.options.find((one) => one === given);
  if (audience !== undefined) return audience;
  throw refuseField(
    "for",
    refuseName(given, { kind: "group of readers", taker: "banner" }, BannerAudience.options),
  );
}
