import { addressesOf } from "../../../shared/ground/addresses.ts";
import { sha256 } from "../../../shared/ground/checksum.ts";
import { openText } from "./docs-pages.ts";
import type { DocsFacts } from "./pages.ts";

/** The one skill of this service: the text of skill.md, its front matter, and what tells its bytes from others. */
export function openSkill(facts: DocsFacts) {
  const text = openText("skill.md", facts);
  const digest = `sha256:${sha256(text)}`;
  return { text, frontmatter: readFrontMatter(text), digest, size: Buffer.byteLength(text) };
}

/** The index by which installers find skills (Agent Skills Discovery 0.2.0). */
export function describeSkills(facts: DocsFacts) {
  const { frontmatter, digest } = openSkill(facts);
  const { name, description } = frontmatter;
  const skill = { name, type: "skill-md", description, url: addressesOf(facts.siteUrl).skill, digest };
  return { $schema: "https://schemas.agentskills.io/discovery/0.2.0/schema.json", skills: [skill] };
}

type FrontMatter = Record<string, string | Record<string, string>>;

/** Reads the YAML before our own text, which is names with a text each, or with such lines one level deeper. */
function readFrontMatter(text: string): FrontMatter {
  const [, head = ""] = /^---\n([\s\S]*?)\n---\n/.exec(text) ?? [];
  const matter: FrontMatter = {};
  let inner: FrontMatter = matter;
  for (const line of head.split("\n")) {
    const [, indent, name = "", value = ""] = /^( *)([\w-]+): ?(.*)$/.exec(line) ?? [];
    if (indent === "") inner = matter;
    if (value === "") inner = matter[name] = {};
    else inner[name] = value.startsWith('"') ? JSON.parse(value) : value;
  }
  return matter;
}
