import { type Refusal, refuse } from "../../../shared/ground/errors.ts";
import { askWhetherMeant } from "../../../shared/ground/nearest-name.ts";
import { refuseMethod } from "./method-hints.ts";

/** A route as the answer for an unknown address compares it. */
export interface Route {
  methods: string[];
  path: RegExp;
  /** What stands between the slashes; the name is null where it is a parameter. */
  parts: { name: string | null; pattern: RegExp }[];
}

/** Notes a route for the answers to unknown addresses. */
export function noteRoute(methods: readonly string[], url: string): Route {
  const parts = url.split("/").map((part) => ({
    name: /[:*]/.test(part) ? null : part,
    pattern: toPattern(part),
  }));
  return { methods: methods.map((name) => name.toUpperCase()), path: toPattern(`${url}/?`), parts };
}

// A part of an address may be empty for the router, and is none here.
const toPattern = (url: string) =>
  new RegExp(`^${url.replace(/[.]/g, "\\.").replace(/:\w+/g, "[^/]+").replaceAll("*", ".+")}$`);

/** What an address that no route answers is told: its methods, or the part that was probably misspelt. */
export function refuseUnknown(routes: readonly Route[], path: string, method: string): Refusal {
  const methods = [
    ...new Set(routes.filter((route) => route.path.test(path)).flatMap((route) => route.methods)),
  ];
  if (methods.length > 0 && !methods.includes(method)) return refuseMethod(path, method, methods);
  return refuseAddress(askWhichPart(routes, path.split("/")));
}

const refuseAddress = (meant: string) => {
  const message = `There is nothing at this address.${meant}`;
  return refuse("not_found", message, "The addresses are listed in the documentation.");
};

/** The refusal of an address that cannot be read. */
export const NOTHING_HERE = refuseAddress("");

/** Asks whether a part of an address was misspelt, where its other parts are those of addresses that there are. */
function askWhichPart(routes: readonly Route[], sent: readonly string[]): string {
  const alike = routes.filter(({ parts }) => parts.length === sent.length);
  const questions = sent.map((word, at) => {
    const known = alike.filter(({ parts }) =>
      parts.every(({ pattern }, other) => other === at || pattern.test(sent[other] ?? "")),
    );
    return askWhetherMeant(
      word,
      known.flatMap(({ parts }) => parts[at]?.name || []),
    );
  });
  return questions.find((question) => question !== "") ?? "";
}
