import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const PARAMETERS: ReadonlySet<string> = new Set(["endpoint", "region"]);
const FORMS = "file:FOLDER, or s3://bucket/prefix?endpoint=https://host&region=name";

/** The folder that an address names, absolute or relative to the working folder; null for one of a bucket. */
export function folderOfFiles(filesUrl: string): string | null {
  if (filesUrl.startsWith("file://")) return fileURLToPath(filesUrl);
  return filesUrl.startsWith("file:") ? resolve(filesUrl.slice("file:".length)) : null;
}

/** The rule that an address of a file store breaks, and how to keep it; null where it breaks none. */
export function explainFilesUrl(text: string): string | null {
  if (/\s/.test(text) && !text.startsWith("file:")) return "it holds a blank: write %20";
  if (text.startsWith("file:")) return explainFolder(text);
  if (text.startsWith("s3://")) return explainBucket(text);
  return `it starts with neither file: nor s3://. Write ${FORMS}`;
}

function explainFolder(text: string): string | null {
  if (text === "file:" || text === "file://")
    return "no folder stands behind file:. Write file:/var/lib/broadsheet/files";
  if (/^file:\/\/[^/]/.test(text))
    return "a machine stands behind file://. Write three slashes: file:///var/lib/broadsheet/files";
  return null;
}

function explainBucket(text: string): string | null {
  const [, authority = "", query = ""] = /^s3:\/\/([^/?#]*)[^?#]*\??([^#]*)/.exec(text) ?? [];
  if (authority.includes("@"))
    return "it holds a user: give credentials by AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY";
  if (authority.includes(":"))
    return "a port stands behind the bucket: name host and port of a store by ?endpoint=https://host:port";
  if (!BUCKET.test(authority))
    return "the name of the bucket has to be 3 to 63 of a-z, 0-9, dots and hyphens, with a letter or digit at both ends";
  if (text.includes("#")) return "it holds a #: write %23";
  return explainParameters(new URLSearchParams(query));
}

function explainParameters(parameters: URLSearchParams): string | null {
  for (const [name, value] of parameters) {
    if (!PARAMETERS.has(name)) return `there is no parameter ${name}: there are endpoint and region`;
    if (value === "") return `the parameter ${name} is empty: leave it out or give it a value`;
  }
  const endpoint = parameters.get("endpoint");
  if (endpoint === null) return null;
  const isAddress = URL.canParse(endpoint) && /^https?:$/.test(new URL(endpoint).protocol);
  return isAddress ? null : "endpoint has to be an address that starts with https:// or http://";
}
