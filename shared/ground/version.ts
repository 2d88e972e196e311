import about from "../../package.json" with { type: "json" };

/** The version of this code, as package.json and the changelog have it. */
export const VERSION: string = about.version;
