import { listShownFiles } from "../shared/front-page.ts";
import type { OwnersWork, previewRevision } from "../shared/owner-works.ts";
import { toIso } from "../shared/times.ts";
import type { Door } from "./door.ts";
import { renderWorkPreview } from "./pages/preview-page.ts";
import { toCreationView } from "./views.ts";

/** A revision as readers would see it, on a page of the console; `workUrl` is the page that leads to it. */
export async function renderRevisionPreview(
  door: Door,
  { creation }: OwnersWork,
  shown: Awaited<ReturnType<typeof previewRevision>>,
  workUrl: string,
): Promise<string> {
  const { revision } = shown;
  const [view, stored] = await Promise.all([
    toCreationView(door, shown),
    listShownFiles(door.deps, revision.id),
  ]);
  // Readers' addresses of files open only what is open to them; the console has its own.
  const files = view.files.map((file, index) => ({
    ...file,
    url: `${workUrl}/revisions/${revision.revision_number}/files/${stored[index]?.asset_id}`,
    rows_url: null,
    statsUrl: null,
  }));
  const about = {
    workUrl,
    number: revision.revision_number,
    live: revision.id === creation.live_revision_id,
    published: revision.published_at !== null,
    hidden: creation.hidden_at !== null,
    savedAt: toIso(revision.created_at),
  };
  return renderWorkPreview({ ...view, files }, about);
}
