/** Every request and answer of the interface, each the whole body, under the name that the documentation gives it. */
export * from "./schemas/answers.ts";
export { EventsQuery } from "./schemas/events.ts";
export { DiffExportParameters, DiffParameters } from "./schemas/file-diff.ts";
export * from "./schemas/queries.ts";
export { ReadsQuery } from "./schemas/reads.ts";
export * from "./schemas/requests.ts";
export { QueryCsvParameters, QueryExportParameters, QueryParameters } from "./schemas/table-questions.ts";
