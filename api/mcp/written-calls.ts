import type { Tool } from "./tool.ts";

interface Page {
  data: { markdown: string; sections: { markdown?: string }[] };
}

/** A page of the documentation, each text once, in which each request that is written short stands as the call that sends it. */
export function writeAsCalls(body: string, tools: readonly Tool[]): string {
  const { data }: Page = JSON.parse(body);
  const markdown = data.markdown.replace(/^```http\n([\s\S]*?)^```$/gm, (block, requests: string) => {
    const calls = requests.split(/\n\n(?=[A-Z]+ )/).map((request) => writeCall(request, tools));
    return calls.includes(null) ? block : calls.map((call) => `\`\`\`json\n${call}\n\`\`\``).join("\n\n");
  });
  const sections = data.sections.map(({ markdown: _, ...named }) => named);
  return JSON.stringify({ data: { ...data, markdown, sections } });
}

/** Where a body publishes what it saves; tools that save do not. */
const PUBLISHES = /"publish": \{[^{}]*\},\s*|,\s*"publish": \{[^{}]*\}/;
const LOCK_VERSION = 3;

/** Requests whose tool has other arguments than the request has members. */
const IN_OTHER_WORDS: readonly (readonly [RegExp, string])[] = [
  [/^GET (\$\w*JSON\w*)$/, '{"name": "read_creation", "arguments": {"url": "$1"}}'],
  [/^GET \/events\?types=([\w.]+)&wait=\d+$/, '{"name": "list_events", "arguments": {"types": "$1"}}'],
  [/^GET \/agent\/reads$/, '{"name": "get_reads", "arguments": {}}'],
  [
    /^DELETE \/creations\/(\S+)\/preview$/,
    '{"name": "preview_creation", "arguments": {"creation_id": "$1", "hours": 0}}',
  ],
  [/^POST \/creations\/check\n([\s\S]*)$/, '{"name": "check_creation", "arguments": $1}'],
  [/^PUT \/watches\/creations\/(\S+)$/, '{"name": "watch", "arguments": {"on": true, "creation_id": "$1"}}'],
  [
    /^PUT \/watches\/questions\/(\S+)\n\{([\s\S]*)$/,
    '{"name": "watch", "arguments": {"on": true, "name": "$1", $2}',
  ],
  [
    /^GET \/media\/(\S+)\/diff\?base=(\S+)$/,
    '{"name": "diff_rows", "arguments": {"base_asset_id": "$2", "asset_id": "$1"}}',
  ],
];

/** The calls of the tools that send a request; null where none does, or not with these parameters. */
function writeCall(sent: string, tools: readonly Tool[]): string | null {
  const request = sent.trim();
  const [pattern, words] = IN_OTHER_WORDS.find(([one]) => one.test(request)) ?? [];
  if (pattern !== undefined && words !== undefined) return request.replace(pattern, words);
  const [, method, path = "", query, body] = /^(\w+) ([^\s?]+)\??(\S*)\s*([\s\S]*)$/.exec(request) ?? [];
  for (const { name, request: own, arguments: taken } of tools) {
    const pattern = own.path.replace(/^\/api\/v1/, "").replace(/:(\w+)/g, "(?<$1>[^/]+)");
    const found = new RegExp(`^${pattern}$`).exec(path);
    if (own.method !== method || found === null) continue;
    const named = { ...found.groups, ...Object.fromEntries(new URLSearchParams(query)) };
    if (!Object.keys(named).every((argument) => argument in taken.shape)) return null;
    const given = (body ?? "").trim().slice(1, -1).trim();
    const others = "publish" in taken.shape ? given : given.replace(PUBLISHES, "");
    const isVersioned = "lock_version" in taken.shape && !others.includes('"lock_version"');
    const version = isVersioned ? [`"lock_version": ${LOCK_VERSION}`] : [];
    const written = Object.entries(named).map(([argument, value]) => `"${argument}": "${value}"`);
    const members = [...written, ...version, ...(others === "" ? [] : [others])].join(", ");
    const call = `{"name": "${name}", "arguments": {${members}}}`;
    return others === given ? call : `${call}\n\n${publishSaved(found.groups?.creation_id)}`;
  }
  return null;
}

/** The call that publishes what the one before saved: a new work, or another revision of this one. */
function publishSaved(creationId: string | undefined): string {
  const version = creationId === undefined ? 1 : LOCK_VERSION + 1;
  return `{"name": "publish_creation", "arguments": {"creation_id": "${creationId ?? "$ID"}", "lock_version": ${version}}}`;
}
