import { countNoun } from "../../ground/text.ts";

/** What the newest data say of a figure or chart, as the public JSON has it. */
export interface NowWords {
  state: "holds" | "differs" | "cannot_be_asked" | "source_closed" | "not_asked";
  value: string | null;
  rows_changed: number | null;
  revision_number: number | null;
  asked_at: string | null;
}

/** How much of a text the newest data bear out, as the public JSON has it. */
export interface EvidenceWords {
  figures: number;
  charts_from_data: number;
  holds: number;
  differs: number;
  cannot_be_asked: number;
  numbers_in_text: number;
  numbers_checked: number;
}

const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", timeZone: "UTC" });

/** What the newest data say of a figure or chart, in a few words. */
export function describeNow({ state, value, rows_changed, revision_number, asked_at }: NowWords): string {
  const place = revision_number === null ? "the newest revision" : `revision ${revision_number}`;
  if (state === "not_asked") return "not asked yet";
  if (state === "source_closed") return "its source is closed";
  if (state === "cannot_be_asked") return "can no longer be asked";
  if (state === "holds")
    return `Holds in ${place}${asked_at === null ? "" : ` (${DAY.format(new Date(asked_at))})`}`;
  if (value !== null) return `${value} in ${place}`;
  if (rows_changed === 0) return `its rows stand in another order in ${place}`;
  return `${rows_changed} ${rows_changed === 1 ? "row differs" : "rows differ"} in ${place}`;
}

/** How much of a text is checked against data, and what no longer holds, as a sentence; null where nothing is. */
export function describeEvidence(evidence: EvidenceWords): string | null {
  const { figures, charts_from_data: charts, holds, differs, cannot_be_asked: unasked } = evidence;
  if (figures + charts === 0) return null;
  const numbers = `${evidence.numbers_checked} of ${evidence.numbers_in_text} numbers in this text are checked against data`;
  const drawn = countNoun(charts, "chart");
  // What holds or not is counted over both, so both are named.
  const counted =
    figures === 0
      ? `${drawn} ${charts === 1 ? "is" : "are"} drawn from data`
      : `${numbers}${charts === 0 ? "" : `, and ${drawn} drawn from them`}`;
  const told = [
    ...(differs === 0 ? [] : [`${differs} no longer ${differs === 1 ? "holds" : "hold"}`]),
    ...(unasked === 0 ? [] : [`${unasked} can no longer be asked`]),
  ];
  if (told.length === 0 && holds === figures + charts) told.push("all hold");
  return `${[counted, ...told].join("; ")}.`;
}
