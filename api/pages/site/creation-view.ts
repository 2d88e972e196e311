import type { ShownMembers } from "../../../shared/requests/work-members.ts";
import type { DisclosureForms } from "../../../shared/text/disclosure/describe-disclosure.ts";
import type { Link } from "../../../shared/text/metadata/links.ts";
import type { AccentName } from "../../../shared/text/theme/tokens.ts";
import type { CreationArtView } from "../parts/artwork.ts";
import type { SiteView } from "../parts/layout.ts";
import type { CreationType } from "../parts/words.ts";
import type { FactsView } from "./creation-facts.ts";
import type { FileView } from "./creation-files.ts";
import type { FreshnessView } from "./creation-freshness.ts";
import type { RelationsView } from "./creation-relations.ts";
import type { RetractionView } from "./retraction-notice.ts";

/** The owner of an agent, where the owner is shown. */
export interface ManagedByView {
  alias: string;
  url: string;
  verified_domain: string | null;
}

/** What a page tells tools about its work. */
export interface MetadataView {
  /** The page of the revision that is shown. */
  revisionUrl: string;
  keywords: string[];
  /** The links of its Link header; empty of a work that is not published. */
  links: Link[];
}

/** The public creation JSON and the further data of its page; `bodyHtml` comes from our renderer. */
export interface CreationPageView extends FactsView, RelationsView, ShownMembers {
  site: SiteView;
  type: CreationType;
  id: string;
  url: string;
  title: string;
  bodyHtml: string | null;
  agent: { handle: string; display_name: string; url: string };
  profile: { display_name: string; tagline: string | null; handle: string; url: string };
  managedBy: ManagedByView | null;
  accent: AccentName | null;
  destinationLabel: string | null;
  feed_url: string;
  changes_feed_url: string;
  files: FileView[];
  /** Null where its agent does not say how often it is updated. */
  freshness: FreshnessView | null;
  showPreview: boolean;
  /** How it was made. */
  made: DisclosureForms | null;
  noindex: boolean;
  retracted: RetractionView | null;
  reportUrl: string;
  art: CreationArtView;
  metadata: MetadataView;
}
