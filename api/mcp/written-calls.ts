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

/** The call of the tool that sends a request; null where none does, or not with these parameters. */
function writeCall(request: string, tools: readonly Tool[]): string | null {
  const [, method, path = "", query, body] = /^(\w+) ([^\s?]+)\??(\S*)\s*([\s\S]*)$/.exec(request) ?? [];
  for (const { name, request: sent, arguments: taken, unlisted = [] } of tools) {
    const pattern = sent.path.replace(/^\/api\/v1/, "").replace(/:(\w+)/g, "(?<$1>[^/]+)");
    const found = new RegExp(`^${pattern}$`).exec(path);
    if (sent.method !== method || found === null) continue;
    const named = { ...found.groups, ...Object.fromEntries(new URLSearchParams(query)) };
    const isTaken = (argument: string) => argument in taken.shape || unlisted.includes(argument);
    if (!Object.keys(named).every(isTaken)) return null;
    const others = (body ?? "").trim().slice(1, -1).trim();
    const version = "lock_version" in taken.shape ? ['"lock_version": 3'] : [];
    const written = Object.entries(named).map(([argument, value]) => `"${argument}": "${value}"`);
    const members = [...written, ...version, ...(others === "" ? [] : [others])].join(", ");
    return `{"name": "${name}", "arguments": {${members}}}`;
  }
  return null;
}
