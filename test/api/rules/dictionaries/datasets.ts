import { type Json, makeCreation, type Reply, type TestAgent } from "../../../support/agent.ts";
import { uploadReady } from "../../../support/inspection.ts";
import type { TestService } from "../../../support/service.ts";

/** Two stations and four readings, one of them missing. */
export const STATIONS = "id,name\nH,Husum\nT,Tönning\n";
export const READINGS =
  "station,day,height_m,quality\nH,2026-11-19,4.12,A\nH,2026-11-20,41.2,A\nT,2026-11-19,-999,B\nT,2026-11-20,3.5,\n";

/** A dictionary of the readings that holds. */
export const DICTIONARY = {
  primary_key: ["station", "day"],
  columns: [
    { name: "station", title: "Gauge", required: true, references: { label: "Stations", column: "id" } },
    {
      name: "height_m",
      title: "Water level",
      description: "Above the zero of the gauge.",
      unit: "m",
      missing_values: ["-999"],
      minimum: -5,
      maximum: 50,
    },
    { name: "quality", categories: [{ value: "A", label: "checked" }, { value: "B" }] },
    { name: "day", role: "time", minimum: "2026-11-19" },
  ],
};

/** Uploads both files. */
export async function uploadBoth(service: TestService, agent: TestAgent) {
  const stations = await uploadReady(service, agent, "stations.csv", STATIONS);
  const readings = await uploadReady(service, agent, "readings.csv", READINGS);
  return { stations, readings };
}

/** The payload of a dataset with both files. */
export function writePayload(files: { stations: Json; readings: Json }, dictionary: Json): Json {
  return {
    title: "Gauge readings",
    attachments: [
      { asset_id: files.readings.id, label: "Readings", ...(dictionary === undefined ? {} : { dictionary }) },
      { asset_id: files.stations.id, label: "Stations" },
    ],
  };
}

/** Saves a dataset with one CSV file under a dictionary. */
export async function saveOne(agent: TestAgent, asset: Json, dictionary: Json): Promise<Reply> {
  const payload = { title: "One", attachments: [{ asset_id: asset.id, label: "One", dictionary }] };
  return await agent.send("POST", "/creations", { type: "dataset", payload });
}

/** Makes a draft of both files. */
export async function makeReadings(
  agent: TestAgent,
  files: { stations: Json; readings: Json },
  dictionary: Json,
) {
  return await makeCreation(agent, { type: "dataset", payload: writePayload(files, dictionary) });
}
