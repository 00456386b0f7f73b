-- Who a merchant is on receipts and statements, and how its books are kept. `time_zone` (IANA): its days and months. `book_currency`: money is
-- valued in it, by `rates` alone; no value is stored. `account_codes`: the merchant's own code of an account of its journal, by the account.
alter table merchants
  add column legal_name text collate "C" check (char_length(legal_name) between 1 and 200),
  add column legal_address text collate "C" check (char_length(legal_address) between 1 and 500),
  add column tax_id text collate "C" check (char_length(tax_id) between 1 and 40),
  add column time_zone text collate "C" not null default 'UTC' check (char_length(time_zone) between 1 and 64),
  add column book_currency text collate "C" not null default 'USD' check (book_currency ~ '^[A-Z]{3}$'),
  add column account_codes jsonb not null default '{}' check (jsonb_typeof(account_codes) = 'object');
-- The currencies that the api polls at every minute. Nearly all merchants keep dollars.
create index merchants_book_currency on merchants (book_currency) where book_currency <> 'USD';
