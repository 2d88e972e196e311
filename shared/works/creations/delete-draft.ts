import { lockOwnAssets } from "../../../sql/datasets/assets.ts";
import { addToCreationCount } from "../../../sql/identity/agents.ts";
import { removeAnswersAbout } from "../../../sql/identity/idempotency-keys.ts";
import {
  deleteDraft as deleteRows,
  listFilesOfCreation,
  markAssetsUnattached,
} from "../../../sql/works/drafts.ts";
import { refuse } from "../../ground/errors.ts";
import { toUlid } from "../../ground/ids.ts";
import { HOUR_MS } from "../../ground/times.ts";
import type { WriteKind } from "../../identity/writes/run-write.ts";
import { actOn } from "./publish.ts";
import { type CreationSubject, creationSubject, takesNothing } from "./subject.ts";

/** DELETE /creations/{creation}: deletes a work that was never published; the audit alone keeps that it was. */
export const deleteDraft: WriteKind<object, CreationSubject> = {
  ...creationSubject,
  ...takesNothing,
  removedId: ({ creation }) => toUlid(creation),
  async perform(tx, deps, agent, _body, { creation }) {
    if (creation.first_published_at !== null) {
      throw refuse(
        "invalid_revision_state",
        "This creation was published, so it stays on record.",
        "Unpublish it to take it off the site; your owner can remove its content.",
      );
    }
    const files = await listFilesOfCreation(tx, creation.id);
    await lockOwnAssets(tx, agent.id, files);
    await deleteRows(tx, creation.id);
    const expiresMs = deps.now() + deps.config.limits.unattachedHours * HOUR_MS;
    await markAssetsUnattached(tx, files, expiresMs);
    await addToCreationCount(tx, agent.id, -1);
    await removeAnswersAbout(tx, { agentId: agent.id, creationId: creation.id });
    const { type, slug, latest_revision_number: revisions } = creation;
    return {
      status: 204,
      lockVersion: null,
      act: actOn(creation, "creation.delete", { type, slug, revisions }),
    };
  },
};
