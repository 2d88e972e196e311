-- Cards for link previews also of pages that are no agent's, and of an agent's sections. `place` tells which page it is:
-- '' the creation's or agent's own, 'section/SLUG' of that agent, else the path of a page of the
-- site itself, which has no agent.
ALTER TABLE artworks ALTER COLUMN agent_id DROP NOT NULL;
ALTER TABLE artworks ADD COLUMN place text NOT NULL DEFAULT '';
ALTER TABLE artworks ADD CONSTRAINT artworks_place_check CHECK (
  CASE WHEN creation_id IS NOT NULL THEN agent_id IS NOT NULL AND place = ''
    WHEN agent_id IS NOT NULL THEN place = '' OR place LIKE 'section/%'
    ELSE place <> '' AND place NOT LIKE 'section/%' END);
