import type { Db } from "../../sql/connection/pool.ts";
import { type BannerAudience, type BannerRow, findBanner } from "../../sql/platform/site-banner.ts";

/** Opens the banner of the site as this process knows it; there is none until it is read. */
export function openCurrentBanner() {
  let banner: BannerRow | null = null;
  return {
    name: "banner",
    /** The banner in force that these readers see, or null. Owners see everyone's too. */
    find(reader: BannerAudience, nowMs: number) {
      if (banner === null || isBannerOver(banner, nowMs)) return null;
      return banner.audience === "everyone" || reader === "owners" ? banner : null;
    },
    /** Reads the banner. */
    async refresh({ pool }: { pool: Db }) {
      banner = await findBanner(pool);
    },
  };
}

/** Whether the time of a banner is over. */
export function isBannerOver({ until }: Pick<BannerRow, "until">, nowMs: number): boolean {
  return until !== null && until <= nowMs;
}
