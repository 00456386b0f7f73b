-- Which coins there are, the programs say (server/src/domain/asset.ts), and which of them is signed, the signer's own configuration. Here a
-- code has a form only. `not valid`: the check before it has proven the older rows, and a large table is not read again.
alter table unattributed_transfers drop constraint unattributed_transfers_currency_check;
alter table unattributed_transfers add constraint unattributed_transfers_currency_check check (currency ~ '^[A-Z0-9]{2,10}$') not valid;
alter table rates drop constraint rates_currency_check;
alter table rates add constraint rates_currency_check check (currency ~ '^[A-Z0-9]{2,10}$') not valid;
alter table deposit_addresses drop constraint deposit_addresses_currency_check;
alter table deposit_addresses add constraint deposit_addresses_currency_check check (currency ~ '^[A-Z0-9]{2,10}$') not valid;
alter table deposits drop constraint deposits_currency_check;
alter table deposits add constraint deposits_currency_check check (currency ~ '^[A-Z0-9]{2,10}$') not valid;
alter table outflows drop constraint outflows_currency_check;
alter table outflows add constraint outflows_currency_check check (currency ~ '^[A-Z0-9]{2,10}$') not valid;
alter table ledger_entries drop constraint ledger_entries_currency_check;
alter table ledger_entries add constraint ledger_entries_currency_check check (currency ~ '^[A-Z0-9]{2,10}$') not valid;
alter table settlements drop constraint settlements_currency_check;
alter table settlements add constraint settlements_currency_check check (currency ~ '^[A-Z0-9]{2,10}$') not valid;
alter table sweeps drop constraint sweeps_currency_check;
alter table sweeps add constraint sweeps_currency_check check (currency ~ '^[A-Z0-9]{2,10}$') not valid;
alter table signing_requests drop constraint signing_requests_currency_check;
alter table signing_requests add constraint signing_requests_currency_check check (currency ~ '^[A-Z0-9]{2,10}$') not valid;

-- The fixed fee of a merchant's charges in each coin: units by code. A coin that is left out has none.
alter table merchants add column fixed_fees jsonb not null default '{}'
  check (jsonb_typeof(fixed_fees) = 'object'
    and not jsonb_path_exists(fixed_fees, '$.* ? (@.type() != "number" || @ < 0 || @ != @.floor())'));
update merchants set fixed_fees = jsonb_build_object('USDT', fee_fixed_usdt_units, 'TRX', fee_fixed_trx_units)
where fee_fixed_usdt_units > 0 or fee_fixed_trx_units > 0;
alter table merchants drop column fee_fixed_usdt_units;
alter table merchants drop column fee_fixed_trx_units;

update deployment set serves_from = 114;
