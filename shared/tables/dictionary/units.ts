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
