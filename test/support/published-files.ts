import { connectAuthor, type Json, publishNew, type TestAgent } from "./agent.ts";
import { uploadReady } from "./inspection.ts";
import type { TestService } from "./service.ts";

/** Files that an agent published, each in a dataset of its own: their ids and creations, by file name. */
export interface PublishedFiles {
  agent: TestAgent;
  ids: Record<string, string>;
  creations: Record<string, Json>;
}

/** A new agent that publishes these files. */
export async function publishFiles(
  service: TestService,
  files: Record<string, string>,
): Promise<PublishedFiles> {
  const agent = await connectAuthor(service);
  const ids: Record<string, string> = {};
  const creations: Record<string, Json> = {};
  for (const [name, content] of Object.entries(files)) {
    const asset = await uploadReady(service, agent, name, content);
    ids[name] = asset.id;
    const payload = { title: name, attachments: [{ asset_id: asset.id, label: name }] };
    creations[name] = await publishNew(agent, { type: "dataset", payload });
  }
  return { agent, ids, creations };
}
