-- The place of an event among those of its merchant: 1, 2, 3 and on, without a gap. The statement that inserts events takes the
-- next places from the merchant's row, and holds that row until its transaction ends. So places become visible in their order: a
-- reader who has read place n has missed none before it.
create table event_positions (
  merchant_id uuid primary key references merchants,
  last_position bigint not null check (last_position > 0)
) with (fillfactor = 50);

-- Events from before this migration have no place. They come before all others, in the order of (created_at, id): no row is
-- rewritten, and none is read for the check.
alter table webhook_events
  add column position bigint,
  add constraint webhook_events_position_positive check (position > 0) not valid;
create unique index webhook_events_position on webhook_events (merchant_id, position) where position is not null;

-- Attempts of an hour by how long they took: the longest duration of a class is 2^(class/4) ms. `daric retain` deletes old hours.
create table endpoint_attempt_counts (
  merchant_id uuid not null,
  endpoint_id uuid not null,
  hour timestamptz not null,
  duration_class smallint not null,
  attempts bigint not null,
  accepted bigint not null,
  primary key (merchant_id, endpoint_id, hour, duration_class)
) with (fillfactor = 50);
