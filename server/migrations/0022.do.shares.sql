-- What an order in fiat costs (`expected_units`, `pay_units`, `quote_rate_e4`, `quote_source`, `quote_expires_at`) is what the
-- newest quote that its payer was offered says, `newest_quote_id`. Of an order that was paid or accepted before this migration it
-- is the quote of the due that was frozen then.

-- Which part of what its quote says is due a deposit is, in 10^-18, rounded up: so money that came at two rates is counted
-- together. Null where it has no quote. The sums of shares stand beside the sums of units, and are 0 where the price is not in
-- fiat. What is credited is the sum times what is due now.
alter table deposits add column share numeric;
alter table charge_sums
  add column confirmed_share numeric not null default 0,
  add column confirmed_on_time_share numeric not null default 0,
  add column confirmed_in_window_share numeric not null default 0,
  add column pending_share numeric not null default 0;

-- An order that is paid or accepted keeps its verdict: its deposits are judged by the quote whose due was frozen.
with frozen as (
  select charge.merchant_id, charge.id as charge_id, quote.id, quote.expires_at
  from deposit_addresses charge
  cross join lateral (
    select quotes.id, quotes.expires_at from quotes
    where quotes.merchant_id = charge.merchant_id and quotes.deposit_address_id = charge.id
      and quotes.rate_e4 = charge.quote_rate_e4
    order by quotes.expires_at desc, quotes.id limit 1
  ) quote
  where charge.fiat_currency is not null and (charge.paid_at is not null or charge.accepted_at is not null)
), charge as (
  update deposit_addresses charge set newest_quote_id = frozen.id, quote_expires_at = frozen.expires_at
  from frozen
  where charge.merchant_id = frozen.merchant_id and charge.id = frozen.charge_id and charge.newest_quote_id <> frozen.id
)
update deposits d set quote_id = frozen.id
from frozen
where d.merchant_id = frozen.merchant_id and d.deposit_address_id = frozen.charge_id and d.quote_id <> frozen.id;

-- Any other order costs what its newest offer says, whatever its deposits were judged by: each keeps the quote that judges it.
update deposit_addresses charge
set quote_rate_e4 = quote.rate_e4, quote_source = quote.source, expected_units = quote.expected_units,
  pay_units = quote.pay_units
from quotes quote
where charge.fiat_currency is not null and charge.paid_at is null and charge.accepted_at is null
  and quote.merchant_id = charge.merchant_id and quote.id = charge.newest_quote_id
  and charge.quote_rate_e4 <> quote.rate_e4;

update deposits d
set share = div(d.units::numeric * 1000000000000000000 + (coalesce(quote.pay_units, quote.expected_units) - 1),
  coalesce(quote.pay_units, quote.expected_units))
from quotes quote
where quote.merchant_id = d.merchant_id and quote.id = d.quote_id;

update charge_sums sums
set confirmed_share = counted.confirmed, confirmed_on_time_share = counted.on_time,
  confirmed_in_window_share = counted.in_window, pending_share = counted.pending
from (
  select merchant_id, deposit_address_id,
    coalesce(sum(share) filter (where status = 'CONFIRMED'), 0) as confirmed,
    coalesce(sum(share) filter (where status = 'CONFIRMED' and not late), 0) as on_time,
    coalesce(sum(share) filter (where status = 'CONFIRMED' and not past_window), 0) as in_window,
    coalesce(sum(share) filter (where status in ('DETECTED', 'CONFIRMING', 'STUCK', 'REORG_PENDING')), 0) as pending
  from deposits where share is not null
  group by merchant_id, deposit_address_id
) counted
where sums.merchant_id = counted.merchant_id and sums.deposit_address_id = counted.deposit_address_id;

alter table deposits add check ((share is null) = (quote_id is null)), add check (share > 0);

-- Nothing asks any more whether a quote judges a deposit.
drop index deposits_of_quote;
