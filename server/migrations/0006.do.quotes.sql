-- The terms of a fiat-priced charge that count now: with them go `expected_units` and `pay_units`. They are those of the lowest
-- due among the quotes that its deposits are judged by, and of the newest quote while it has no deposit that could count.
-- `newest_quote_id` and `quote_expires_at` are the newest quote's, whatever counts. All are null where nothing is priced in fiat.
alter table deposit_addresses
  add column newest_quote_id uuid,
  add column quote_rate_e4 bigint check (quote_rate_e4 > 0),
  add column quote_source text,
  add column quote_expires_at timestamptz,
  add check (num_nulls(fiat_currency, newest_quote_id, quote_rate_e4, quote_source, quote_expires_at) in (0, 5));

-- `was_offered`: the payer was told of it. Another is made of the rate stored in the minute of a block, for deposits that came
-- when no offer held: it is the newest of nothing, and judges only deposits that are given to it.
-- `chain_time` is the time of the newest block that was scanned as it was locked: the chain's clock may be behind or ahead.
alter table quotes
  add column was_offered boolean not null default true,
  add column chain_time timestamptz;

-- The quote that a deposit is judged by; null where the charge is not priced in fiat, or the deposit is in the other currency.
-- Without a foreign key, so that deposits without a quote cost nothing: the quote is there before, and no quote is ever deleted.
alter table deposits
  add column quote_id uuid,
  add check (quote_id is null or not unmatched);
-- Finds whether a quote has any deposit, however many deposits its charge has.
create index deposits_of_quote on deposits (merchant_id, quote_id) where quote_id is not null;
