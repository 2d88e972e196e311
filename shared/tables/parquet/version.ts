/**
 * The form of the written files: raise it with every change of their bytes, a new version of the library among them, and
 * those of another form are made again.
 */
export const PARQUET_VERSION = 2;
