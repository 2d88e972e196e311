/** The members of a payload as they are emitted: blank texts are null, but for those of figures, which may ask for them. */
export function blanksToNull<T extends object>(payload: T): T {
  const { figures, ...members } = payload as T & { figures?: unknown };
  return { ...blankToNull(members), ...(figures === undefined ? {} : { figures }) } as T;
}

/** Returns the value with every blank text as null: a blank optional text counts as missing. */
export function blankToNull<T>(value: T): T {
  if (value === "") return null as T;
  if (Array.isArray(value)) return value.map(blankToNull) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, name === AS_SENT ? member : blankToNull(member)]),
  ) as T;
}

/** A column may have a blank name, and a dictionary says nothing with null. */
const AS_SENT = "dictionary";
