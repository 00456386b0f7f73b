-- Dust is money too small to count: it is recorded and booked, and decides nothing. Whether a deposit is dust is decided when it is
-- recorded. Null in rows from before: those keep what they decided, so that no settled order changes its verdict.
alter table deposits add column dust boolean;

-- The part of `confirmed`, `confirmed_on_time`, `pending` and `unmatched` that is dust. The other sums have none, nor has
-- `newest_block_time`. `dust_deposits` counts those whose block our chain has.
alter table charge_sums
  add column dust numeric not null default 0,
  add column dust_on_time numeric not null default 0,
  add column dust_pending numeric not null default 0,
  add column dust_unmatched numeric not null default 0,
  add column dust_deposits integer not null default 0;

-- An event names the largest deposits of an order.
create index deposits_largest_of_address on deposits (merchant_id, deposit_address_id, units desc, id)
  where confirmed_at is not null and not unmatched;
drop index deposits_confirmed_of_address;
