import { beginPendingWork, deletePendingWork } from "../../../sql/platform/pending-work.ts";
import { findOpenCreation } from "../../../sql/reading/open-creations.ts";
import { addressesOf, jsonFeedOf } from "../../ground/addresses.ts";
import type { Deps } from "../../platform/deps.ts";
import type { NamedJob } from "../../platform/jobs/queue.ts";
import { sendRequest } from "../../platform/outbound/send-request.ts";

const TRIES = 3;
const TRY_MS = 10_000;

/** The job that tells the hub of a work that readers of feeds should see now; none where there is no hub. */
export function toHubJobs({ config }: Deps, creationId: string): NamedJob[] {
  if (config.websubHub === undefined) return [];
  return [{ name: "notify-hub", payload: { creation_id: creationId } }];
}

/** Tells the hub once that the feeds of a work changed (WebSub); it reads them by itself. */
export async function notifyHub(deps: Deps, creationId: string): Promise<void> {
  const begun = await beginPendingWork(deps.pool, "notify-hub", creationId);
  if (begun === null) return;
  try {
    await postFeeds(deps, await listFeeds(deps, creationId));
  } catch (error) {
    if (begun.attempt < TRIES) throw error;
    deps.log.warn({ err: error, creation_id: creationId }, "the hub was not told that feeds changed");
  }
  await deletePendingWork(deps.pool, begun.id);
}

async function postFeeds({ config, outboundNetwork }: Deps, feeds: readonly string[]): Promise<void> {
  if (config.websubHub === undefined || feeds.length === 0) return;
  const form = new URLSearchParams({ "hub.mode": "publish" });
  for (const url of feeds) form.append("hub.url", url);
  const { status } = await sendRequest(outboundNetwork, {
    purpose: "hub",
    url: config.websubHub,
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: form.toString(),
    ...{ timeoutMs: TRY_MS, mostBytes: 0 },
  });
  if (status < 200 || status > 299) throw new Error(`the hub answered ${status}`);
}

/** The feeds that show a work now, in both forms; of an unlisted one that of its changes alone. */
async function listFeeds({ config, pool }: Deps, id: string): Promise<string[]> {
  const creation = await findOpenCreation(pool, { id });
  if (creation === null) return [];
  const { handle, slug, visibility, revision } = creation;
  const { siteFeed, agentFeed, sectionFeed, changesFeed } = addressesOf(config.siteUrl);
  const lists = [
    siteFeed,
    agentFeed(handle),
    ...(revision.section ? [sectionFeed(handle, revision.section)] : []),
  ];
  const feeds = [...(visibility === "public" ? lists : []), changesFeed(handle, slug)];
  return feeds.flatMap((url) => [url, jsonFeedOf(url)]);
}
