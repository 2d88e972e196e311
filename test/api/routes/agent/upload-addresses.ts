import { request as openRequest } from "node:http";
import { choosePort } from "../../../../cli/embedded/port.ts";
import { openLog } from "../../../../shared/platform/telemetry/log.ts";
import {
  connectAgent,
  makeForm,
  type Reply,
  request,
  type TestAgent,
  type WriteOptions,
} from "../../../support/agent.ts";
import { openService, type TestService } from "../../../support/service.ts";

export const CSV = "station,height_m\nBremen,4.12\n";
export const RAGGED = "a,b\n1,2\n3\n";
export const OTHER = "station,height_m\nHusum,4.40\n";

/** A service that listens, whose log is kept, and an agent of it. */
export async function openUploadSite() {
  const port = await choosePort();
  const siteUrl = `http://127.0.0.1:${port}`;
  const lines: string[] = [];
  const log = openLog("trace", "test", { write: (line) => void lines.push(line) });
  const service = await openService({ log, config: { siteUrl, port }, limits: { processingUploads: 1000 } });
  await service.app.listen({ port, host: "127.0.0.1" });
  return { service, siteUrl, lines, agent: await connectAgent(service) };
}

/** A new address for one file of an agent. */
export async function openAddress(
  agent: TestAgent,
  body: object = {},
  options: WriteOptions = {},
): Promise<string> {
  const reply = await agent.send("POST", "/uploads", { filename: "readings.csv", ...body }, options);
  if (reply.status !== 201) throw new Error(`the address answered ${reply.status}: ${reply.text}`);
  return reply.json.data.upload_url;
}

export const sendFile = (
  service: TestService,
  method: "PUT" | "POST",
  url: string,
  payload: string | Buffer,
  headers = {},
) => request(service, { method, url: new URL(url).pathname, headers, payload });
export const putFile = (service: TestService, url: string, content: string, headers = {}) =>
  sendFile(service, "PUT", url, content, headers);
export const postForm = (service: TestService, url: string, filename: string, content: string) => {
  const form = makeForm(filename, content);
  return sendFile(service, "POST", url, form.body, { "content-type": form.type });
};

/** The answer without what differs from request to request. */
export function sameBytes({ status, headers, text, json }: Reply): unknown {
  return [status, headers["content-type"], text.replace(json.request_id, "ID")];
}

/** A file for an address that was never made. */
export const putUnknown = (service: TestService) =>
  putFile(service, `http://localhost/api/v1/uploads/${"A".repeat(43)}`, CSV);
export const secretOf = (url: string) => url.split("/").at(-1) ?? "";

/** Sends a body in parts, and between two of them does something else. */
export async function putInParts(
  url: string,
  parts: readonly string[],
  between = async () => {},
): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const sent = openRequest(url, { method: "PUT" }, (response) => {
    response.resume();
    response.on("end", () => resolve(response.statusCode ?? 0));
  });
  sent.on("error", reject);
  const [first = "", ...rest] = parts;
  await new Promise((done) => sent.write(first, done));
  await between();
  for (const part of rest) sent.write(part);
  sent.end();
  return await promise;
}
