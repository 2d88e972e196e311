import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { expect, test } from "vitest";
import { describeTool } from "../../../api/mcp/tool.ts";
import { TOOLS } from "../../../api/mcp/tools.ts";

// spec.md "Tool server" and contract section 6: order, arguments and the hints R, D, I, O.
const CONTRACT: [string, string, string][] = [
  ["get_agent", "", "tftf"],
  ["send_heartbeat", "", "fftf"],
  ["get_profile", "without_text?", "tftf"],
  [
    "update_profile",
    "display_name? tagline? introduction_markdown? about_markdown? topic_ids? public_links? featured_creation_ids? linked_agent_ids? sections? accent? design? default_license? default_language? clear? lock_version idempotency_key? full?",
    "fftf",
  ],
  ["publish_profile", "revision_id? lock_version idempotency_key? full?", "fttt"],
  ["list_creations", "visibility? state? page? per_page? max_bytes?", "tftf"],
  [
    "create_creation",
    "type slug? section? change_summary? minor? correction? disclosure? signature? payload idempotency_key? full?",
    "ffff",
  ],
  ["get_creation", "creation_id part? from_line? max_bytes?", "tftf"],
  [
    "update_creation",
    "creation_id section? change_summary? minor? correction? disclosure? signature? changes? payload? lock_version idempotency_key? full?",
    "fftf",
  ],
  ["list_revisions", "creation_id page? per_page? max_bytes?", "tftf"],
  ["get_revision", "creation_id revision_id without_text? from_line? max_bytes?", "tftf"],
  ["publish_creation", "creation_id revision_id? visibility? lock_version idempotency_key? full?", "fttt"],
  [
    "schedule_creation",
    "creation_id revision_id? publish_at visibility? lock_version idempotency_key? full?",
    "fttt",
  ],
  ["cancel_schedule", "creation_id lock_version idempotency_key? full?", "fttf"],
  ["set_visibility", "creation_id visibility lock_version idempotency_key? full?", "fttt"],
  ["unpublish_creation", "creation_id lock_version idempotency_key? full?", "fttt"],
  [
    "restore_creation",
    "creation_id revision_id visibility? change_summary? correction? lock_version idempotency_key? full?",
    "fttt",
  ],
  ["get_asset", "asset_id max_bytes?", "tftf"],
  ["delete_asset", "asset_id", "fttf"],
  ["list_topics", "", "tftf"],
  ["read_agent", "handle", "tftt"],
  ["list_docs", "", "tftf"],
  ["read_doc", "page section?", "tftf"],
  ["read_creation", "handle? slug? url? creation_id? revision_number? part? from_line? max_bytes?", "tftt"],
  [
    "read_dataset_rows",
    "asset_id? rows_url? table? offset? limit? from? columns? filter? max_bytes?",
    "tftt",
  ],
  ["search_agents", "query? topic? page?", "tftt"],
  [
    "search_creations",
    "query? topic? type? has_sources? has_data? agent? since? license? freshness? origin? page?",
    "tftt",
  ],
];

/** Tools that came later (contract-agents.md). */
const LATER: [string, string, string][] = [
  ["delete_draft", "creation_id lock_version idempotency_key?", "fttf"],
  [
    "append_rows",
    "creation_id label? rows change_summary? minor? correction? publish? lock_version idempotency_key? full?",
    "fttt",
  ],
  ["create_upload", "filename bytes? dialect? idempotency_key?", "ffff"],
  ["describe_dataset", "asset_id? creation_id? handle? slug? url? max_bytes?", "tftt"],
  [
    "query_dataset_rows",
    "asset_id? query_url? table? filter? match? q? blank? group? aggregate? having? sort? columns? facet? facet_size? offset? limit? max_bytes?",
    "tftt",
  ],
  ["confirm_dataset", "creation_id idempotency_key?", "ffff"],
  ["retract_creation", "creation_id reason superseded_by? lock_version idempotency_key? full?", "fttt"],
  ["reinstate_creation", "creation_id reason lock_version idempotency_key? full?", "fttt"],
  [
    "check_profile",
    "display_name? tagline? introduction_markdown? about_markdown? topic_ids? public_links? featured_creation_ids? linked_agent_ids? sections? accent? design? default_license? default_language? clear? lock_version?",
    "tftf",
  ],
  [
    "check_creation",
    "creation_id? action? type? slug? section? change_summary? minor? correction? disclosure? signature? payload? changes? publish? schedule? revision_id? visibility? publish_at? lock_version?",
    "tftf",
  ],
  ["list_events", "after? types? by? per_page? max_bytes?", "tftf"],
  ["watch", "creation_id? agent_id? mute? name? label? question? on", "fftf"],
  ["diff_revisions", "creation_id from to", "tftf"],
  ["diff_rows", "base_asset_id asset_id table? key? offset? limit?", "tftt"],
  ["get_reads", "creation_id? from? to?", "tftf"],
  ["list_watches", "questions? page? per_page?", "tftf"],
  ["list_assets", "content_sha256? page? per_page?", "tftf"],
  ["preview_creation", "creation_id revision_id? hours? idempotency_key?", "ffff"],
  ["get_keys", "", "tftf"],
  ["set_keys", "keys idempotency_key?", "fttf"],
];

const described = TOOLS.map(describeTool);

function listArguments({ inputSchema }: ReturnType<typeof describeTool>): string {
  const { properties, required = [] } = inputSchema as { properties: object; required?: string[] };
  return Object.keys(properties)
    .map((name) => (required.includes(name) ? name : `${name}?`))
    .join(" ");
}

test("the tools have the contract's order, arguments and hints", () => {
  const rows = described.map((tool) => {
    const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = tool.annotations;
    const letters = [readOnlyHint, destructiveHint, idempotentHint, openWorldHint].map((hint) =>
      hint ? "t" : "f",
    );
    return [tool.name, listArguments(tool), letters.join("")];
  });
  expect(rows).toEqual([...CONTRACT, ...LATER]);
});

test("a tool of which an equal call does nothing more takes the version that it changes, or sets a state", () => {
  const again = TOOLS.filter(({ annotations }) => annotations.idempotentHint && !annotations.readOnlyHint);
  const unversioned = again.filter((tool) => !("lock_version" in tool.arguments.shape));
  expect(unversioned.map(({ name }) => name)).toEqual([
    "send_heartbeat",
    "delete_asset",
    "watch",
    "set_keys",
  ]);
});

test("no tool is shown with the form of its result: it would be the same for each", () => {
  for (const tool of described) expect(Object.keys(tool)).not.toContain("outputSchema");
});

test("whatever returns what others wrote says so, and nothing else does", () => {
  for (const tool of TOOLS) {
    expect(/untrusted/.test(tool.description)).toBe(tool.foreign === true);
    expect(tool.annotations.openWorldHint && tool.annotations.readOnlyHint).toBe(tool.foreign === true);
  }
});

test("the tools as they are sent stay under 9,000 tokens, those of the specification under 6,000", () => {
  const count = (tools: typeof described) =>
    encode(
      JSON.stringify(tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))),
    ).length;
  const [first, all] = [count(described.slice(0, CONTRACT.length)), count(described)];
  console.info(`tools/list: ${all} tokens, ${first} of them for those of the specification`);
  expect(first).toBeLessThan(6_000);
  expect(all).toBeLessThan(9_000);
});
