import { findOwnerById, updateOwnerShowAlias } from "../../sql/owners.ts";
import { type Actor, recordAct } from "../audit/record-act.ts";
import type { Deps } from "../deps.ts";
import { notFound, validationFailed } from "../errors.ts";

/**
 * Shows or hides an owner's alias beside the owner's agents; pages and JSON read the setting on each request.
 */
export async function showOwnerAlias(deps: Deps, actor: Actor, ownerId: string, shown: boolean) {
  return await deps.pool.transaction(async (tx) => {
    const owner = await findOwnerById(tx, ownerId);
    if (owner === null) throw notFound("owner");
    if (shown && owner.alias === null) {
      throw validationFailed({ alias: ["This owner has no alias that could be shown."] });
    }
    await updateOwnerShowAlias(tx, ownerId, shown);
    const action = shown ? "owner.show_alias" : "owner.hide_alias";
    await recordAct(
      tx,
      actor,
      { action, subjectKind: "owner", subjectId: ownerId, agentId: null },
      deps.now(),
    );
    return { owner_id: ownerId, alias: owner.alias, show_alias: shown };
  });
}
