import { isIPv4, isIPv6 } from "node:net";

const SITE_FORM = "an http:// or https:// address, such as https://example.org";
const DATABASE_FORM = "an address of the form postgres://user:password@host:5432/database";
const REDIS_FORM = "redis://host:6379, rediss://host:6379 or redis+cluster://a:7000,b:7001";
const MAIL_FORM = "an address that starts with smtp:// or smtps://";
const CLUSTER = /^redis\+cluster:\/\/(?:([^\s@]*)@)?([^\s@/]+)(?:\/.*)?$/;
const NODE = /^(?:\[([^\]]+)\]|[^:[\]]+)(?::(\d{1,5}))?$/;
const HOST_NAME = /^[a-z\d_](?:[a-z\d_.-]*[a-z\d_.])?$/i;
const FOUR_NUMBERS = /^\d+(?:\.\d+){3}$/;
const MOST_PORT = 65_535;

/** Why a text is no root of a site, and what to write; null where it is one. */
export function explainSiteUrl(text: string): string | null {
  if (!/^https?:\/\/[^/]/i.test(text)) return `${SITE_FORM}${askWhetherHost(text)}`;
  const url = URL.parse(text);
  if (url === null || /\s/.test(text)) return SITE_FORM;
  const root = `Write ${url.origin}`;
  if (url.username !== "" || url.password !== "") return `it holds a user or a password. ${root}`;
  if (/[?#]/.test(text)) return `it has a query or a fragment, and a root has neither. ${root}`;
  return /^\/*$/.test(url.pathname) ? null : `it has a path, and a site is a whole host. ${root}`;
}

/** A host without a scheme is the usual slip. */
function askWhetherHost(text: string): string {
  const url = /^[a-z\d.-]+(?::\d+)?\/?$/i.test(text) ? URL.parse(`https://${text}`) : null;
  return url === null ? "" : `. Did you mean ${url.origin}?`;
}

/** Why a text is no address of a PostgreSQL, and what to write; null where it is one. */
export function explainDatabaseUrl(text: string): string | null {
  const url = /^postgres(ql)?:\/\//i.test(text) ? URL.parse(text) : null;
  if (url === null || url.port === "0") return DATABASE_FORM;
  const isNamed = url.hostname !== "" || url.pathname.length > 1 || url.searchParams.has("host");
  return isNamed ? null : `it names neither a host nor a database. Write ${DATABASE_FORM}`;
}

/** Why a text is no address of a Redis or a cluster of them, and what to write; null where it is one. */
export function explainRedisUrl(text: string): string | null {
  if (text.startsWith("redis+cluster:")) return explainCluster(text);
  const url = /^rediss?:\/\/[^,\s]+$/.test(text) ? URL.parse(text) : null;
  return url === null || url.hostname === "" || url.port === "0" ? REDIS_FORM : null;
}

function explainCluster(text: string): string | null {
  const [, user = "", nodes] = CLUSTER.exec(text) ?? [];
  if (nodes === undefined) return REDIS_FORM;
  if (!isPercentEncoded(user)) return "its user or password holds a % that encodes nothing: write %25";
  const wrong = nodes.split(",").findIndex((node) => !isNode(node));
  return wrong < 0 ? null : `its node ${wrong + 1} is not of the form host:7000. Write ${REDIS_FORM}`;
}

function isNode(node: string): boolean {
  const found = NODE.exec(node);
  const [, literal, port] = found ?? [];
  if (found === null || (literal !== undefined && !isIPv6(literal))) return false;
  return port === undefined || (Number(port) >= 1 && Number(port) <= MOST_PORT);
}

function isPercentEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** Why a text is no address of a mail server, and what to write; null where it is one. */
export function explainSmtpUrl(text: string): string | null {
  const url = /^smtps?:\/\//i.test(text) ? URL.parse(text) : null;
  return url === null || url.hostname === "" ? `${MAIL_FORM}, such as smtp://user:password@host:587` : null;
}

/** Why nothing can listen on what a text names, and what to write; null where it may be an address or a host's name. */
export function explainListenHost(text: string): string | null {
  if (isIPv4(text) || isIPv6(text)) return null;
  if (HOST_NAME.test(text) && !FOUR_NUMBERS.test(text)) return null;
  return "an address to listen on, without a port, such as 127.0.0.1, 0.0.0.0 or ::1";
}
