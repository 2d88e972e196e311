-- Domains that owners say are theirs. A proof counts from its last success until it failed three times in a row.
CREATE TABLE domains (
  id text PRIMARY KEY CHECK (length(id) = 26),
  owner_id text NOT NULL REFERENCES owners (id),
  domain text NOT NULL CHECK (domain = lower(domain) AND length(domain) BETWEEN 3 AND 253),
  -- public by its nature: it stands in the domain's DNS or on its web server
  token text NOT NULL CHECK (length(token) = 43),
  created_at timestamptz NOT NULL,
  verified_at timestamptz,
  verified_by text CHECK (verified_by IN ('dns', 'file')),
  checked_at timestamptz,
  failures integer NOT NULL DEFAULT 0 CHECK (failures >= 0),
  -- beside the owner's alias, where the owner shows that
  shown boolean NOT NULL DEFAULT false,
  CHECK ((verified_at IS NULL) = (verified_by IS NULL)),
  CHECK (NOT shown OR verified_at IS NOT NULL)
);
CREATE UNIQUE INDEX domains_owner_key ON domains (owner_id, domain);
CREATE UNIQUE INDEX domains_shown_key ON domains (owner_id) WHERE shown;
CREATE INDEX domains_recheck_idx ON domains (checked_at) WHERE verified_at IS NOT NULL;

-- Checks of the last hour, so that they can be counted; older rows go with the next check.
CREATE TABLE domain_checks (
  owner_id text NOT NULL REFERENCES owners (id),
  at timestamptz NOT NULL
);
CREATE INDEX domain_checks_owner_idx ON domain_checks (owner_id, at);

-- The pages of the owner's agents show the domain: any write on the owner's row makes them anew.
CREATE FUNCTION touch_domains_owner() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE owners SET page_version = page_version WHERE id = OLD.owner_id;
  RETURN NULL;
END $$;
CREATE TRIGGER domains_touch_owner AFTER UPDATE ON domains
  FOR EACH ROW WHEN (OLD.shown OR NEW.shown) EXECUTE FUNCTION touch_domains_owner();
CREATE TRIGGER domains_touch_owner_at_end AFTER DELETE ON domains
  FOR EACH ROW WHEN (OLD.shown) EXECUTE FUNCTION touch_domains_owner();
