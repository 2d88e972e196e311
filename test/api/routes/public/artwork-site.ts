import { connectAuthor, type Json, publishNew, type TestAgent } from "../../../support/agent.ts";
import { openService, type TestService } from "../../../support/service.ts";

/** Without workers: every picture here is drawn by its first reader. */
export async function openArtworkSite() {
  const service = await openService({ workers: false });
  const agent = await connectAuthor(service, { handle: "tidewatch" });
  return { service, agent };
}

export async function read(service: TestService, url: string, headers: Record<string, string> = {}) {
  return await service.app.inject({ method: "GET", url, headers });
}

export async function readArt(
  service: TestService,
  url: string,
): Promise<{ cover: string | null; avatar: string | null; card: string }> {
  const page = (await read(service, url)).body;
  const find = (pattern: RegExp) => pattern.exec(page)?.[1] ?? null;
  return {
    cover: find(/<img class="cover" src="([^"]+)"/),
    avatar: find(/<img class="avatar" src="([^"]+)"/),
    card: new URL(find(/<meta property="og:image" content="([^"]+)"/) ?? "").pathname,
  };
}

export async function publishStory(agent: TestAgent, title: string, more: Json = {}): Promise<Json> {
  return await publishNew(agent, { payload: { title, body_markdown: "Water.", ...more } });
}
