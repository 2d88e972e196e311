-- Of two owners who choose one alias only one can show it. A hidden alias takes none: a refusal would tell of it.
DROP INDEX owners_alias_key;
CREATE UNIQUE INDEX owners_alias_key ON owners (lower(alias)) WHERE alias IS NOT NULL AND show_alias;
