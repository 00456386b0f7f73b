-- A receiver asks for a pause (Retry-After): until `paused_until` its endpoint gets no attempt. `paused_since`: the first such answer since
-- the last success; for a day they count neither against health nor among a delivery's attempts. `gone_since`: since then it answers 410 alone.
alter table endpoint_health
  add column paused_until timestamptz,
  add column paused_since timestamptz,
  add column gone_since timestamptz;

-- Attempts that do not count among the twelve.
alter table webhook_deliveries add column pauses integer not null default 0 check (pauses >= 0);
