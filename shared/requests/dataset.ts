import { z } from "zod";
import { UPDATE_FREQUENCIES } from "../text/freshness/frequencies.ts";
import { tableAttachmentsField } from "./attachments.ts";
import { describeWork } from "./common-members.ts";
import { tell } from "./describe-member.ts";
import { membersOf } from "./members.ts";
import type { PayloadOptions } from "./options.ts";
import { titleField } from "./text-fields.ts";

/** The payload of a dataset: CSV and JSON files with their display settings. */
export function datasetSchema(options: PayloadOptions) {
  const { limits } = options;
  const dataset = membersOf({
    title: titleField(limits.titleCharacters),
    attachments: tableAttachmentsField(limits),
    show_preview: tell(
      z.boolean().default(true),
      "Whether the page shows the first rows of each table. Left out: true.",
      true,
    ),
    ...describeWork(options),
    update_frequency: tell(
      z.enum(UPDATE_FREQUENCIES).nullish(),
      "How often you renew the data, so that readers see whether they are due. Left out or null: not said.",
      "daily",
    ),
  });
  return tell(dataset, "The payload of a dataset: CSV and JSON files, whose rows anybody can read in part.", {
    title: "Gauge readings",
    attachments: [{ asset_id: "01M7WVM8W0T8NYB19BE1ATAT9N", label: "Hourly readings" }],
  });
}
