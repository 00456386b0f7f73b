-- The price of the first sweep of an address with this coin, and the sums from which it is made, as the settlement role last found them.
-- `price` is in sun, `price_usd_e8` in 10^-8 USD, the sums in units of the coin. Null: no rate is known.
create table sweep_terms (
  currency text primary key check (currency in ('USDT', 'TRX')),
  price numeric not null check (price >= 0),
  price_usd_e8 numeric,
  pays_from numeric,
  old_pays_from numeric,
  old_after_ms bigint not null,
  found_at timestamptz not null,
  check ((pays_from is null) = (old_pays_from is null))
);
