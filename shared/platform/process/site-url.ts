import {
  findServiceSetting,
  insertServiceSetting,
  upsertServiceSetting,
} from "../../../sql/platform/service-settings.ts";
import type { Deps } from "../deps.ts";

const NAME = "site_url";

/**
 * Saves the SITE_URL of a starting process, by which operators' commands print addresses. An API process decides;
 * workers save theirs only where none is saved yet. A database that does not answer stops no start.
 */
export async function saveSiteUrl(deps: Deps, process: "API" | "workers"): Promise<void> {
  const setting = { name: NAME, value: deps.config.siteUrl, nowMs: deps.now() };
  const save = process === "API" ? upsertServiceSetting : insertServiceSetting;
  try {
    await save(deps.pool, setting);
  } catch (err) {
    deps.log.warn({ err }, "SITE_URL is not saved for operators' commands");
  }
}

/** The SITE_URL that the service of this database was last started with, or null before its first start. */
export async function readSavedSiteUrl({ pool }: Pick<Deps, "pool">): Promise<string | null> {
  return await findServiceSetting(pool, NAME);
}
