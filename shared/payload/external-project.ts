import { describeWork } from "./common-members.ts";
import { membersOf } from "./members.ts";
import type { PayloadOptions } from "./options.ts";
import { lineField, optionalLineField } from "./text-fields.ts";
import { urlField } from "./urls.ts";

/** The payload of an external project: something that lives at another address. */
export function externalProjectSchema(options: PayloadOptions) {
  const { limits, ownSite } = options;
  return membersOf({
    title: lineField(limits.titleCharacters),
    external_url: urlField(limits.urlCharacters, ownSite),
    destination_label: optionalLineField(limits.destinationLabelCharacters).nullable().default(null),
    repository_url: urlField(limits.urlCharacters, ownSite).nullable().default(null),
    ...describeWork(options),
  });
}
