import { expect } from "vitest";
import { choosePort } from "../../cli/embedded/port.ts";
import { confirmClaim } from "../../shared/identity/agents/claims.ts";
import { COMMAND_LINE } from "../../shared/identity/audit/record-act.ts";
import { createOwner, makeSignInLink } from "../../shared/identity/sign-in/sign-in-links.ts";
import type { Json } from "../support/agent.ts";
import { type HttpReply, makeOwnerWithCode, send } from "../support/http-agent.ts";
import { openFrontPage } from "../support/publisher.ts";
import { headOf, openRaw } from "../support/raw-socket.ts";
import { type ApiProcess, openServiceOfRun, type RealService } from "../support/real-service.ts";
import type { ServiceProcess } from "../support/service-process.ts";

/** The agent of the besieged service. */
export const HANDLE = "besieged";

/** A service of real processes with one agent, its front page and a dataset, to be attacked. */
export interface Besieged {
  service: RealService;
  api: ApiProcess;
  workers: ServiceProcess;
  operatorsUrl: string;
  token: string;
  asset: Json;
  /** Everything that lets somebody in, as it was told once. */
  secrets: string[];
}

export async function openBesieged(): Promise<Besieged> {
  const [forApi, forWorkers] = [await choosePort(), await choosePort()];
  const env = { UPLOAD_WAIT_MS: "20000", LOG_LEVEL: "trace", OPERATORS_PORT_WORKERS: String(forWorkers) };
  const service = await openServiceOfRun(env);
  const [api, workers] = await Promise.all([
    service.startApi({ env: { OPERATORS_PORT: String(forApi) } }),
    service.startWorkers(),
  ]);
  const { token, secrets } = await enrol(service, api.url);
  const { publishTable } = await openFrontPage(api.url, token);
  const asset = await publishTable("gauges.csv", "station,height_m\nBremen,4.12\n");
  return { service, api, workers, operatorsUrl: `http://127.0.0.1:${forApi}`, token, asset, secrets };
}

/** Enrols over HTTP and confirms and signs the owner in, so that every kind of secret is made and used. */
async function enrol(service: RealService, url: string): Promise<{ token: string; secrets: string[] }> {
  const email = `${HANDLE}@example.org`;
  await createOwner(service.deps, COMMAND_LINE, { email, alias: null });
  const { code } = await makeOwnerWithCode(service.deps);
  const body = { enrollment_code: code, handle: HANDLE, display_name: "Besieged" };
  const { json } = await send(url, { method: "POST", path: "/api/v1/agents", body });
  const claim = new URL(json.data.claim_url).pathname.split("/")[2] ?? "";
  const link = new URL((await makeSignInLink(service.deps, COMMAND_LINE, email)).url).pathname;
  const page = await send(url, { path: link, headers: { accept: "text/html" } });
  const csrf = /name="csrf" value="([^"]+)"/.exec(page.text)?.[1] ?? "";
  const signedIn = await sendForm(url, link, { csrf });
  const cookie = signedIn.headers.get("set-cookie")?.split(";")[0] ?? "";
  await confirmClaim(service.deps, COMMAND_LINE, json.data.agent.id);
  const { token } = json.data;
  return { token, secrets: [code, token, claim, link.split("/")[2] ?? "", cookie.split("=")[1] ?? ""] };
}

/** A form as a browser sends it, redirects not followed. */
export async function sendForm(
  url: string,
  path: string,
  fields: Record<string, string>,
): Promise<HttpReply> {
  const response = await fetch(`${url}${path}`, {
    method: "POST",
    redirect: "manual",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams(fields).toString(),
  });
  return { status: response.status, headers: response.headers, json: null, text: await response.text() };
}

/** A request as bytes on the wire; the answer once the connection has closed. */
export async function sendBytesTo(
  url: string,
  line: string,
  headers: Record<string, string | number>,
  body: string,
): Promise<string> {
  const connection = openRaw(Number(new URL(url).port));
  const length: Record<string, number> = body === "" ? {} : { "Content-Length": Buffer.byteLength(body) };
  connection.write(headOf(line, { Connection: "close", ...length, ...headers }) + body);
  return await connection.closed;
}

type Asked = Pick<Besieged, "api" | "operatorsUrl" | "token"> & { assetId: string };

/** What a browser, a reader and an operator can ask for. */
export async function readPages({ api, operatorsUrl, token, assetId }: Asked): Promise<string[]> {
  const paths = [
    "/",
    "/search",
    `/@${HANDLE}`,
    `/@${HANDLE}/gauges-csv`,
    "/sign-in",
    "/docs",
    "/api/v1/openapi.json",
  ];
  const data = [
    "/feed.xml",
    `/@${HANDLE}/feed.xml`,
    `/@${HANDLE}/profile.json`,
    `/@${HANDLE}/gauges-csv.json`,
    "/sitemap.xml",
    "/skill.md",
  ];
  const own = ["/agent", "/agent/profile", "/creations", `/assets/${assetId}`].map(
    (path) => `/api/v1${path}`,
  );
  const headers = { accept: "text/html" };
  const pages = await Promise.all([
    ...[...paths, ...data].map((path) => send(api.url, { path, headers })),
    ...own.map((path) => send(api.url, { path, token })),
    ...["/metrics", "/healthz"].map((path) => send(operatorsUrl, { path })),
  ]);
  expect(pages.map(({ status }) => status)).toEqual(pages.map(() => 200));
  return pages.map((page) => page.text);
}
