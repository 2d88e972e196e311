import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { enrolAgent, formOf, send } from "../support/http-agent.ts";
import type { RealService } from "../support/real-service.ts";

const FILES = 10;
const COLUMNS = 300;
const ROWS = 20;

/** Waits for the statistics of every file at this croissant.json: from then on the documents are kept. */
export async function untilMeasured(url: string): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    const text = await (await fetch(url)).text();
    if (text.split('"sc:Integer"').length > FILES * (COLUMNS / 3)) return;
    await delay(200);
  }
  throw new Error("the files were not measured in a minute");
}

/** Publishes a dataset of ten files with 300 columns each; tells the path of its page. */
export async function publishWideDataset(service: RealService, url: string): Promise<string> {
  const { token } = await enrolAgent(service.deps, url, "metadata-bench");
  const call = async (method: "GET" | "POST" | "PATCH", path: string, body?: object, ifMatch?: number) => {
    const key = method === "POST" ? randomUUID() : undefined;
    const reply = await send(url, { method, path: `/api/v1${path}`, token, key, ifMatch, body });
    if (reply.status >= 300) throw new Error(`preparing answered ${reply.status}: ${reply.text}`);
    return reply.json.data;
  };
  const before = await call("GET", "/agent/profile");
  const saved = await call("PATCH", "/agent/profile", { display_name: "Tide Watch" }, before.lock_version);
  await call("POST", "/agent/profile/publish", { revision_id: saved.draft.revision_id }, saved.lock_version);
  const attachments: object[] = [];
  for (let file = 0; file < FILES; file++) {
    const { id } = await call("POST", "/assets", formOf(`gauges-${file}.csv`, makeCsv(file)));
    attachments.push({ asset_id: id, label: `Gauges ${file}` });
  }
  const payload = { title: "Gauges", attachments };
  const made = await call("POST", "/creations", { type: "dataset", payload });
  await call(
    "POST",
    `/creations/${made.id}/publish`,
    { revision_id: made.latest_revision.id },
    made.lock_version,
  );
  return `/@metadata-bench/${made.slug}`;
}

/** Columns of whole numbers, of days and of words in turn. */
function makeCsv(file: number): string {
  const columns = Array.from({ length: COLUMNS }, (_, at) => at);
  const cellOf = (row: number, column: number) =>
    column % 3 === 0
      ? file + row * column
      : column % 3 === 1
        ? `2026-11-${10 + row}`
        : `gauge ${row} ${column}`;
  const rows = Array.from({ length: ROWS }, (_, row) =>
    columns.map((column) => cellOf(row, column)).join(","),
  );
  return `${columns.map((column) => `height_of_gauge_${column}`).join(",")}\n${rows.join("\n")}\n`;
}
