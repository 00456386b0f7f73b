-- A coin's row has `usd_e8`: USD for 1 unit of the coin. The row of a fiat currency has `tether_e8`: units of the currency for 1 USDT.
alter table rates add column tether_e8 bigint check (tether_e8 > 0);
alter table rates alter column usd_e8 drop not null;
alter table rates add constraint rates_one_price check (num_nonnulls(usd_e8, tether_e8) = 1) not valid;

-- A rate in USD is in `rate_e4`, in 10^-4, one in any other currency in `rate_e10`, in 10^-10: units of the coin for 1 unit of the fiat
-- currency. So no row is rewritten.
alter table quotes add column rate_e10 bigint check (rate_e10 > 0);
alter table quotes alter column rate_e4 drop not null;
alter table quotes add constraint quotes_one_rate check (num_nonnulls(rate_e4, rate_e10) = 1) not valid;

alter table deposit_addresses add column quote_rate_e10 bigint check (quote_rate_e10 > 0);
alter table deposit_addresses drop constraint deposit_addresses_fiat_currency_check;
alter table deposit_addresses add constraint deposit_addresses_fiat_currency_check check (fiat_currency ~ '^[A-Z]{3}$') not valid;
alter table deposit_addresses drop constraint deposit_addresses_check5;
alter table deposit_addresses add constraint deposit_addresses_whole_quote check (
  num_nulls(fiat_currency, newest_quote_id, coalesce(quote_rate_e4, quote_rate_e10), quote_source, quote_expires_at) in (0, 5)
  and num_nonnulls(quote_rate_e4, quote_rate_e10) <= 1
  and (fiat_currency = 'USD') = (quote_rate_e4 is not null)) not valid;

-- A program from before this file takes a price in another currency for one in dollars.
update deployment set serves_from = 116;
