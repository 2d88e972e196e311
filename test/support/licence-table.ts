import { writeFileSync } from "node:fs";
import { join } from "node:path";
import deprecated from "spdx-license-ids/deprecated.json" with { type: "json" };
import ids from "spdx-license-ids/index.json" with { type: "json" };
import listed from "spdx-license-list/spdx.json" with { type: "json" };

// The service needs the names of the licences, which come in a package of 12 MB with their texts. `npm run licences`
// writes what it needs into the tree; test/shared/text/licences/licences.test.ts says when that has to be done again.
const FILE = join(import.meta.dirname, "..", "..", "shared", "text", "licences", "spdx.json");

/** The licences of the SPDX list as the service has them; one that the list of names does not have yet is named by its identifier. */
export function makeLicenceTable() {
  const entryOf = new Map(Object.entries(listed));
  const nameOf = (id: string) => entryOf.get(id)?.name.replace(/\s+/g, " ").trim() ?? id;
  return {
    names: Object.fromEntries([...ids, ...deprecated].map((id) => [id, nameOf(id)])),
    approved: ids.filter((id) => entryOf.get(id)?.osiApproved),
    deprecated,
  };
}

if (import.meta.main) writeFileSync(FILE, `${JSON.stringify(makeLicenceTable(), null, 2)}\n`);
