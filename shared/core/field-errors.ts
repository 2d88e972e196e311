/** Sentences by the name of the field, parameter or argument that they are about. */
export type FieldErrors = Record<string, string[]>;
