import { type HomeRow, readHome } from "../../sql/reading/home.ts";
import type { Deps } from "../platform/deps.ts";

/** The contents of the site's home: the newest public work, the active agents, the topics. */
export async function getHome({ pool }: Deps): Promise<HomeRow> {
  return await readHome(pool);
}
