import { type CityFigures, countCity, type Day, isWet, sum } from "./rain-figures.ts";

const MONTHS = [
  ...["January", "February", "March", "April", "May", "June", "July"],
  ...["August", "September", "October", "November", "December"],
];
const WINTER = ["10", "11", "12", "01", "02", "03"];
const HIGH_SUMMER = ["07", "08"];
const YEARS = 4;

/** Figures as the story prints them, by the names that stand in braces in its text. */
export type Figures = Readonly<Record<string, string>>;

/** Computes every figure of the story from the days of the file. */
export function computeFigures(days: readonly Day[]): Figures {
  const seattle = countCity(days, "Seattle");
  const newYork = countCity(days, "New York");
  return {
    days: toCount(seattle.days.length),
    lead_percent: toPercent((seattle.total - newYork.total) / newYork.total),
    wet_days_less: toCount(seattle.wet.length - newYork.wet.length),
    july_days: toCount(daysOf(seattle, ["07"]).length),
    smallest: toMillimetres(Math.min(seattle.smallest, newYork.smallest)),
    months: toMonthTable(seattle, newYork),
    months_chart: toMonthChart(seattle, newYork),
    winter_days: toPercent(daysOf(seattle, WINTER).length / seattle.days.length),
    summer_days: toPercent(daysOf(seattle, HIGH_SUMMER).length / seattle.days.length),
    ...prefix("seattle", describeCity(seattle, newYork)),
    ...prefix("new_york", describeCity(newYork, seattle)),
  };
}

/** Puts figures into a text where their names stand in braces; throws for a name that has none. */
export function fillIn(text: string, figures: Figures): string {
  return text.replace(/\{([a-z_.]+)\}/g, (_, name: string) => {
    const figure = figures[name];
    if (figure === undefined) throw new Error(`the story asks for ${name}, which nobody computed`);
    return figure;
  });
}

function describeCity(city: CityFigures, other: CityFigures): Figures {
  const years = [...city.byYear].toSorted(([, one], [, another]) => one - another);
  const led = [...city.byYear].filter(([year, total]) => total > (other.byYear.get(year) ?? 0));
  const wettest = city.heaviest[0];
  return {
    ...describeSpells(city),
    ...describeLabels(city),
    ...describeSeasons(city),
    total: toMillimetres(city.total),
    wet_days: toCount(city.wet.length),
    wet_share: toPercent(city.wet.length / city.days.length),
    wet_mean: toMillimetres(city.total / city.wet.length),
    wet_median: toMillimetres(city.wetMedian),
    heavy_days: toCount(city.heavy.length),
    heavy_share: toPercent(sum(city.heavy) / city.total),
    ten_share: toPercent(sum(city.heaviest.slice(0, 10)) / city.total),
    torrents: toCount(city.torrents.length),
    half_days: toCount(city.halfDays),
    wettest: toMillimetres(wettest?.tenths ?? 0),
    wettest_date: toDate(wettest?.date ?? ""),
    years_led: led.map(([year]) => year).join(" and "),
    driest_year: toMillimetres(years.at(0)?.[1] ?? 0),
    wettest_year: toMillimetres(years.at(-1)?.[1] ?? 0),
  };
}

function describeSpells(city: CityFigures): Figures {
  return {
    wet_spell: toCount(city.wetSpell.days),
    wet_spell_end: toDate(city.wetSpell.end),
    dry_spell: toCount(city.drySpell.days),
    dry_spell_end: toDate(city.drySpell.end),
    after_wet: toPercent(city.afterWet),
    after_dry: toPercent(city.afterDry),
  };
}

function describeLabels(city: CityFigures): Figures {
  const labelled = (label: string) => city.days.filter((day) => day.weather === label);
  return {
    snow_total: toMillimetres(sum(labelled("snow"))),
    drizzle_days: toCount(labelled("drizzle").filter((day) => !isWet(day)).length),
    rain_dry_days: toCount(labelled("rain").filter((day) => !isWet(day)).length),
  };
}

function describeSeasons(city: CityFigures): Figures {
  const july = daysOf(city, ["07"]);
  const months = [...city.byMonth].toSorted(([, one], [, other]) => sum(one) - sum(other));
  return {
    driest_month: nameMonth(months.at(0)?.[0] ?? ""),
    wettest_month: nameMonth(months.at(-1)?.[0] ?? ""),
    winter_share: toPercent(sum(daysOf(city, WINTER)) / city.total),
    summer_share: toPercent(sum(daysOf(city, HIGH_SUMMER)) / city.total),
    julys: toMillimetres(sum(july)),
    july_wet: toCount(july.filter(isWet).length),
  };
}

function toMonthTable(seattle: CityFigures, newYork: CityFigures): string {
  const rows = MONTHS.map((name, index) => {
    const month = String(index + 1).padStart(2, "0");
    const cells = [seattle, newYork].flatMap((city) => {
      const days = daysOf(city, [month]);
      return [toMillimetres(sum(days) / YEARS), toPercent(days.filter(isWet).length / days.length)];
    });
    return `| ${[name, ...cells].join(" | ")} |`;
  });
  const head =
    "| Month | Seattle, mm | Wet days | New York, mm | Wet days |\n| --- | ---: | ---: | ---: | ---: |";
  return [head, ...rows].join("\n");
}

/** The same months as a chart: the mean precipitation of each, a line a city. */
function toMonthChart(seattle: CityFigures, newYork: CityFigures): string {
  const cities = [
    ["Seattle", seattle],
    ["New York", newYork],
  ] as const;
  const values = cities.flatMap(([city, figures]) =>
    MONTHS.map((name, index) => {
      const days = daysOf(figures, [String(index + 1).padStart(2, "0")]);
      return { month: name.slice(0, 3), city, mm: Number((sum(days) / YEARS / 10).toFixed(1)) };
    }),
  );
  return JSON.stringify({
    mark: "line",
    title: "Mean precipitation by month, 2012 to 2015",
    description: cities.map(([city]) => `${city}: from ${extremes(values, city).join(" to ")} mm.`).join(" "),
    data: { values },
    encoding: {
      x: { field: "month", type: "ordinal", title: "Month" },
      y: { field: "mm", type: "quantitative", title: "Precipitation, mm" },
      color: { field: "city", type: "nominal", title: "City" },
    },
  });
}

function extremes(values: readonly { city: string; mm: number }[], city: string): string[] {
  const own = values.filter((value) => value.city === city).map(({ mm }) => mm);
  return [Math.min(...own), Math.max(...own)].map((mm) => mm.toFixed(1));
}

function daysOf(city: CityFigures, months: readonly string[]): Day[] {
  return months.flatMap((month) => city.byMonth.get(month) ?? []);
}

function prefix(name: string, figures: Figures): Figures {
  return Object.fromEntries(Object.entries(figures).map(([key, value]) => [`${name}.${key}`, value]));
}

function toCount(value: number): string {
  return value.toLocaleString("en-US");
}

function toMillimetres(tenths: number): string {
  return (tenths / 10).toLocaleString("en-US", { minimumFractionDigits: 1, maximumFractionDigits: 1 });
}

function toPercent(share: number): string {
  return `${(share * 100).toFixed(1)}%`;
}

function toDate(iso: string): string {
  const [year, month, day] = iso.split("-");
  return `${Number(day)} ${nameMonth(month ?? "")} ${year}`;
}

function nameMonth(number: string): string {
  return MONTHS[Number(number) - 1] ?? "";
}
