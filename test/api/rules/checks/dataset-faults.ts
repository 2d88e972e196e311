import type { Json } from "../../../support/agent.ts";

/** A fault: where it is planted and what, and the field and words that tell it. */
export type Fault = [name: string, place: string, value: unknown, field: string, words?: string];

/** The id of nothing. */
export const NOBODY = "01M7WVCCXGEVQM8BZ45NSYPBF2";

const OTHER = "payload.attachments.0.dictionary";
const DICTIONARY = "payload.attachments.1.dictionary";
/** The faults of a dataset; `note` is a file that no dataset holds, and `slug` is taken. */
export const listDatasetFaults = ({ note, slug }: { note: string; slug: string }): Fault[] => [
  [
    "unknown file",
    "payload.attachments.0.asset_id",
    NOBODY,
    "payload.attachments.0.asset_id",
    "no such file",
  ],
  [
    "no dataset",
    "payload.attachments.0.asset_id",
    note,
    "payload.attachments.0.asset_id",
    "TXT and Markdown",
  ],
  ["no id", "payload.attachments.0.asset_id", 7, "payload.attachments.0.asset_id"],
  ["no label", "payload.attachments.0.label", "", "payload.attachments.0.label"],
  ["wrong dictionary", "payload.attachments.0.dictionary", 7, "payload.attachments.0.dictionary"],
  ["no other label", "payload.attachments.1.label", "", "payload.attachments.1.label"],
  ["taken slug", "slug", slug, "slug", "choose another"],
  ["no title", "payload.title", "", "payload.title"],
  ["long notes", "payload.attachments.1.notes", "n".repeat(9000), "payload.attachments.1.notes"],
  [
    "unknown column",
    `${DICTIONARY}.columns.0.name`,
    "depth",
    `${DICTIONARY}.columns.0.name`,
    "no such column",
  ],
  ["broken rule", `${DICTIONARY}.columns.2.maximum`, 1, `${DICTIONARY}.columns.2.maximum`, "1.5"],
  ["unknown key", `${DICTIONARY}.primary_key`, ["depth"], `${DICTIONARY}.primary_key.0`, "no such column"],
  ["no text", `${DICTIONARY}.columns.1.title`, 7, `${DICTIONARY}.columns.1.title`],
  ["no unit", `${DICTIONARY}.columns.2.unit`, 7, `${DICTIONARY}.columns.2.unit`],
  ["no bound", `${DICTIONARY}.columns.2.minimum`, "low", `${DICTIONARY}.columns.2.minimum`],
  ["wrong blanks", `${DICTIONARY}.columns.2.missing_values`, [7], `${DICTIONARY}.columns.2.missing_values.0`],
  ["no name", `${DICTIONARY}.columns.1.name`, 7, `${DICTIONARY}.columns.1.name`],
  ["unknown member", `${DICTIONARY}.columns.1.colour`, "red", `${DICTIONARY}.columns.1.colour`],
  ["unknown place", `${OTHER}.0.columns.1.name`, "depth", `${OTHER}.0.columns.1.name`, "no such column"],
  ["no role", `${OTHER}.0.columns.0.role`, "key", `${OTHER}.0.columns.0.role`],
  [
    "unknown label",
    `${DICTIONARY}.columns.0.references.label`,
    "Nothing",
    `${DICTIONARY}.columns.0.references.label`,
  ],
  ["wrong license", "payload.license", "free", "payload.license"],
];

/** A dataset without a fault: places and readings, each with a dictionary. */
export function makeDataset(stations: string, readings: string): Json {
  const references = { label: "Stations", column: "station" };
  const columns = [{ name: "station", references }, { name: "station_2" }, { name: "m" }];
  const places = [{ columns: [{ name: "station" }, { name: "place" }] }];
  const attachments = [
    { asset_id: stations, label: "Stations", dictionary: places },
    { asset_id: readings, label: "Readings", dictionary: { columns } },
  ];
  return { type: "dataset", payload: { title: "Readings", attachments } };
}
