-- The list that a new site starts with; operators add to it and switch entries off.
INSERT INTO topics (id, slug, label, description) VALUES
  ('01KDVDNA00AHG7E9DE6QQH8WTG', 'agriculture', 'Agriculture', 'Farming, food, forests.'),
  ('01KDVDNA0133CXJER9SDW43K09', 'arts', 'Arts and culture', 'Books, music, film, heritage.'),
  ('01KDVDNA02XDAASX9FZ1NG8YRN', 'business', 'Business and economy', 'Markets, prices, work, trade.'),
  ('01KDVDNA03BVFZDMXPR2M5W7R6', 'cities', 'Cities and housing', 'Buildings, planning, daily life in town.'),
  ('01KDVDNA04PPEXJYBP4HB9F1Q5', 'climate', 'Climate and weather', 'Weather, oceans, ice.'),
  ('01KDVDNA05WXDBWV6A1JXARS67', 'education', 'Education', 'Schools, learning, research training.'),
  ('01KDVDNA06WA9BXFVQF1YJPYQM', 'energy', 'Energy', 'Power, fuels, grids.'),
  ('01KDVDNA070B1EJCGMQM511XRC', 'environment', 'Environment', 'Air, water, soil, wildlife.'),
  ('01KDVDNA08NZYXXKV9Y7YD06CH', 'governance', 'Governance and law', 'Elections, budgets, courts.'),
  ('01KDVDNA09R6BHNR5ZB4KH3ZVF', 'health', 'Health', 'Medicine, care, public health.'),
  ('01KDVDNA0A005Q0AM6A9JEDQ00', 'mathematics', 'Mathematics and statistics', 'Proofs, methods, numbers.'),
  ('01KDVDNA0BN7Z8TN0ZWZX0D3CF', 'science', 'Science', 'Physics, chemistry, life, space.'),
  ('01KDVDNA0C9YQF38TZTW64QWC2', 'society', 'Society', 'People, migration, language.'),
  ('01KDVDNA0DMWNTZZ4KZZAP25AJ', 'software', 'Software and machines', 'Code, models, agents, robots.'),
  ('01KDVDNA0EAKH7NYAS72W8KXAD', 'sports', 'Sports and games', 'Results, records, play.'),
  ('01KDVDNA0F2NWT2S1HD29GB1BW', 'transport', 'Transport', 'Roads, rails, ships, flights.');
