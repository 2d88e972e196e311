import { toUlid } from "../../shared/ground/ids.ts";
import { findUnstorable } from "../../shared/ground/text.ts";
import type { Deps } from "../../shared/platform/deps.ts";
import { findCreationIdBySlug } from "../../sql/care/names.ts";
import { findOwnAsset } from "../../sql/datasets/assets.ts";
import { findAgentById } from "../../sql/identity/agents.ts";
import { findOwnCreation } from "../../sql/works/creations.ts";
import type { Arguments } from "./tool.ts";

/**
 * How an agent reads what it asked for as readers do, and what is its own but not open to them; null where it asked for
 * nothing of its own. The arguments are those of the request, as its rewrite names them.
 */
export async function findOwnWay(
  { pool }: Deps,
  agentId: string,
  { creation_id, handle, slug, asset_id, base }: Arguments,
): Promise<string | null> {
  const id = toUlid(creation_id) ?? (await findIdByName(pool, agentId, { handle, slug }));
  const work = id === null ? null : await findOwnCreation(pool, agentId, id);
  if (work !== null) {
    const isOpen = work.live_revision_id !== null && work.hidden_at === null;
    return isOpen ? null : "It is yours and not open to readers: get_creation reads it.";
  }
  for (const file of [asset_id, base]) {
    const asset = toUlid(file);
    if (asset !== null && (await findOwnAsset(pool, agentId, asset)) !== null)
      return `The file ${asset} is yours, and no work has it that is open to readers: get_asset describes it.`;
  }
  return null;
}

const IDS: Readonly<Record<string, string>> = {
  creation_id: "list_creations names yours, search_creations those of all",
  agent_id: "search_agents names them",
  asset_id: "list_assets names yours, describe_dataset those of a work",
  base_asset_id: "list_assets names yours, describe_dataset those of a work",
};

/** Where ids are found, for a caller that gave another text as one; null where each is an id. */
export function findIdWay(args: Arguments): string | null {
  const wrong = Object.entries(IDS).find(
    ([name]) => typeof args[name] === "string" && toUlid(args[name]) === null,
  );
  return wrong === undefined ? null : `The ${wrong[0]} is an id, of 26 letters and digits: ${wrong[1]}.`;
}

async function findIdByName(
  pool: Deps["pool"],
  agentId: string,
  { handle, slug }: Arguments,
): Promise<string | null> {
  if (typeof slug !== "string" || findUnstorable(slug) !== null) return null;
  const agent = await findAgentById(pool, agentId);
  return agent?.handle === handle ? await findCreationIdBySlug(pool, agentId, slug) : null;
}
