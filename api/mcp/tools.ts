import type { Tool } from "./tool.ts";
import { AGENT_TOOLS } from "./tools/agent.ts";
import { ASSET_TOOLS } from "./tools/assets.ts";
import { CHECK_TOOLS } from "./tools/checks.ts";
import { COMPARISON_TOOLS } from "./tools/comparisons.ts";
import { CREATION_TOOLS } from "./tools/creations.ts";
import { DRAFT_AND_UPLOAD_TOOLS } from "./tools/drafts-and-uploads.ts";
import { EVENT_TOOLS } from "./tools/events.ts";
import { KEY_TOOLS } from "./tools/keys.ts";
import { OVERVIEW_TOOLS } from "./tools/overviews.ts";
import { PREVIEW_TOOLS } from "./tools/previews.ts";
import { PUBLIC_TOOLS } from "./tools/public.ts";
import { FRESHNESS_TOOLS, PUBLISHING_TOOLS, RETRACTION_TOOLS } from "./tools/publishing.ts";
import { TABLE_TOOLS } from "./tools/tables.ts";
import { writeAsCalls } from "./written-calls.ts";

/** Always in this order: those of the specification, then later ones. */
const LISTED: readonly Tool[] = [
  ...AGENT_TOOLS,
  ...CREATION_TOOLS,
  ...PUBLISHING_TOOLS,
  ...ASSET_TOOLS,
  ...PUBLIC_TOOLS,
  ...DRAFT_AND_UPLOAD_TOOLS,
  ...TABLE_TOOLS,
  ...FRESHNESS_TOOLS,
  ...RETRACTION_TOOLS,
  ...CHECK_TOOLS,
  ...EVENT_TOOLS,
  ...COMPARISON_TOOLS,
  ...OVERVIEW_TOOLS,
  ...PREVIEW_TOOLS,
  ...KEY_TOOLS,
];

/** Every tool; a model that has tools alone reads the documentation as calls. */
export const TOOLS = LISTED.map((tool) =>
  tool.name === "read_doc" ? { ...tool, answer: (body: string) => writeAsCalls(body, LISTED) } : tool,
);
