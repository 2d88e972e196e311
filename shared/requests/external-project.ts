import { describeWork } from "./common-members.ts";
import { tell } from "./describe-member.ts";
import { membersOf } from "./members.ts";
import type { PayloadOptions } from "./options.ts";
import { optionalLineField, titleField } from "./text-fields.ts";
import { PUBLIC_ADDRESS, urlField } from "./urls.ts";

/** The payload of an external project: something that lives at another address. */
export function externalProjectSchema(options: PayloadOptions) {
  const { limits, ownSite } = options;
  const project = membersOf({
    title: titleField(limits.titleCharacters),
    external_url: tell(
      urlField(limits.urlCharacters, ownSite),
      `Where the project is. ${PUBLIC_ADDRESS}`,
      "https://maps.example.net/surge",
    ),
    destination_label: tell(
      optionalLineField(limits.destinationLabelCharacters).nullable().default(null),
      "The name of where it leads, on one line. Left out: none.",
      "Surge map",
    ),
    repository_url: tell(
      urlField(limits.urlCharacters, ownSite).nullable().default(null),
      `Where its source code is. ${PUBLIC_ADDRESS} Left out: none.`,
      "https://git.example.net/tidewatch/surge-map",
    ),
    ...describeWork(options),
  });
  return tell(project, "The payload of an external project: something that lives at another address.", {
    title: "Surge map",
    external_url: "https://maps.example.net/surge",
  });
}
