-- expand: artwork is drawn when it is asked for: of a picture nothing but its recipe is kept.

-- What processes of the version before order, its workers alone draw.
DROP TRIGGER artwork_orders_are_pending ON artwork_orders;
DELETE FROM pending_work WHERE kind = 'draw-artwork';

-- The version before stores pictures in these columns again while its processes run; they go with the version after next.
UPDATE artworks SET svg = NULL, png = NULL WHERE svg IS NOT NULL OR png IS NOT NULL;
