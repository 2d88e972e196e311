import { shortenText } from "../../ground/text.ts";
import type { ColumnBlanks } from "../rows/conditions.ts";
import type { BriefColumn, BriefTable } from "../statistics/brief-columns.ts";

/** What an agent says of a column of one of its tables. */
export interface DictionaryColumn {
  name: string;
  title?: string | undefined;
  description?: string | undefined;
  unit?: string | undefined;
  missing_values?: string[] | undefined;
  categories?: { value: string; label?: string | undefined }[] | undefined;
  required?: boolean | undefined;
  unique?: boolean | undefined;
  /** A number, or the text of a date or of a number that JSON would not hold exactly. */
  minimum?: number | string | undefined;
  maximum?: number | string | undefined;
  role?: "time" | "place" | "measure" | "identifier" | undefined;
  concept?: string | undefined;
  references?: { label: string; column: string } | undefined;
}

/** What an agent says of one table of a file, as a payload holds it. */
export interface Dictionary {
  /** The list of a JSON document; left out where there is one table. */
  table?: string | undefined;
  primary_key?: string[] | undefined;
  columns: DictionaryColumn[];
}

/** The member of an attachment: one dictionary, or one for each of several tables. */
export type DictionaryMember = Dictionary | Dictionary[];

/** The dictionaries of an attachment, each with the end of its path. */
export function listDictionaries(member: DictionaryMember): { dictionary: Dictionary; path: string }[] {
  return Array.isArray(member)
    ? member.map((dictionary, at) => ({ dictionary, path: `.${at}` }))
    : [{ dictionary: member, path: "" }];
}

/** The dictionary of a table; `isOnly` where the file has no other: then neither needs to name it. */
export function findDictionary(
  member: DictionaryMember | null,
  table: string | null,
  isOnly: boolean,
): Dictionary | null {
  if (member === null) return null;
  const all = listDictionaries(member).map(({ dictionary }) => dictionary);
  return (
    all.find(
      (one) => one.table === (table ?? undefined) || (isOnly && (table === null || one.table === undefined)),
    ) ?? null
  );
}

/** What stands for blank in the columns of a table, as its dictionary says; `table` is null where the file is one. */
export function listMissing(member: DictionaryMember | null, table: string | null): ColumnBlanks[] {
  const isOnly = member !== null && listDictionaries(member).length === 1;
  const columns = findDictionary(member, table, isOnly)?.columns ?? [];
  return columns.flatMap(({ name, missing_values: values = [] }, index) =>
    values.length === 0 ? [] : [{ index, column: name, values }],
  );
}

/** How many rules dictionaries have: each member of a column that can fail is one, and so is each key. */
export function countRules(member: DictionaryMember): number {
  return listDictionaries(member).reduce((sum, { dictionary }) => sum + countOwnRules(dictionary), 0);
}

function countOwnRules({ primary_key, columns }: Dictionary): number {
  const ofColumns = columns.flatMap((column) => [
    column.required === true,
    column.unique === true,
    column.minimum !== undefined,
    column.maximum !== undefined,
    column.categories !== undefined,
    column.references !== undefined,
  ]);
  return ofColumns.filter(Boolean).length + (primary_key === undefined ? 0 : 1);
}

const DESCRIPTION_CHARACTERS = 200;

/** The tables of a file in few words, with what its agent says of their columns. */
export function addMeanings(tables: readonly BriefTable[], member: DictionaryMember | null): BriefTable[] {
  return tables.map((table) => {
    const said = findDictionary(member, table.table, tables.length === 1)?.columns ?? [];
    const meant = new Map(said.map((column) => [column.name, column]));
    return { ...table, columns: table.columns.map((column) => addMeaning(column, meant.get(column.name))) };
  });
}

function addMeaning(column: BriefColumn, said: DictionaryColumn | undefined): BriefColumn {
  const { title, unit = null, description, missing_values, role } = said ?? {};
  const members = JSON.stringify({
    ...{ title, unit, missing_values, role },
    description: description === undefined ? null : shortenText(description, DESCRIPTION_CHARACTERS),
  });
  return {
    ...column,
    json: `${column.json.slice(0, -1)},${members.slice(1)}`,
    isIdentifier: role === "identifier",
  };
}

/** Usual codes of the Unified Code for Units of Measure, by case. */
const UCUM = new Set(
  [
    "m km cm mm um nm [ft_i] [in_i] [mi_i] [nmi_i] m2 km2 cm2 ha m3 cm3 L mL",
    "g kg mg ug ng t s min h d wk mo a ms m/s km/h m3/s L/s [kn_i]",
    "Cel K [degF] Pa hPa kPa MPa bar mbar J kJ MJ kWh MWh GWh W kW MW GW V A Hz",
    "% [ppth] [ppm] [ppb] kg/m3 g/m3 mg/m3 ug/m3 mg/L ug/L mol mmol mmol/L umol/L [pH] deg rad W/m2 mm/h Bq Sv Gy dB lx cd N N.m",
  ].flatMap((line) => line.split(" ")),
);

/** The currencies of ISO 4217. */
const CURRENCIES = new Set(
  [
    "AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF",
    "CLF CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL",
    "HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL",
    "MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON",
    "RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH",
    "UGX USD UYU UZS VES VND VUV WST XAF XCD XOF XPF YER ZAR ZMW ZWG",
  ].flatMap((line) => line.split(" ")),
);

/** The code of a unit with the name of its system, as schema.org writes codes of others; null for plain words. */
export function findUnitCode(unit: string): string | null {
  if (UCUM.has(unit)) return `UCUM:${unit}`;
  return CURRENCIES.has(unit) ? `ISO4217:${unit}` : null;
}
