-- A merchant's template of orders: a public page makes an order on each click. `units`, `min_units`, `max_units` and `suggested_units` are
-- amounts in `currency`, or in `pricing_currency` where there is one; without `units` the payer chooses. `ask`: what the page asks the payer.
-- `closed_at`: the operator took the link away, and the merchant cannot bring it back.
create table payment_links (
  merchant_id uuid not null references merchants,
  id uuid not null,
  token text collate "C" not null,
  title text collate "C" not null check (char_length(title) between 1 and 120),
  description text collate "C" check (char_length(description) <= 500),
  thanks text collate "C" check (char_length(thanks) <= 500),
  currency text collate "C" not null check (currency ~ '^[A-Z0-9]{2,10}$'),
  pricing_currency text collate "C" check (pricing_currency ~ '^[A-Z]{3}$'),
  units bigint check (units > 0),
  min_units bigint check (min_units > 0),
  max_units bigint check (max_units > 0),
  suggested_units bigint[] not null default '{}' check (cardinality(suggested_units) <= 4),
  max_payments integer check (max_payments > 0),
  expires_at timestamptz,
  ask text[] collate "C" not null default '{}' check (ask <@ array['name', 'note']),
  order_ref_prefix text collate "C" check (char_length(order_ref_prefix) <= 40),
  success_url text collate "C" check (char_length(success_url) <= 2048),
  cancel_url text collate "C" check (char_length(cancel_url) <= 2048),
  settlement_account_id uuid,
  metadata jsonb check (jsonb_typeof(metadata) = 'object'),
  is_active boolean not null default true,
  closed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (merchant_id, id),
  foreign key (merchant_id, settlement_account_id) references settlement_accounts,
  check (units is null or (num_nonnulls(min_units, max_units) = 0 and cardinality(suggested_units) = 0)),
  check (min_units <= max_units)
) with (fillfactor = 85);
create index payment_links_newest on payment_links (merchant_id, created_at, id);

-- A token is of a charge or of a payment link.
alter table token_directory add column link_id uuid;
alter table token_directory alter column charge_id drop not null;
alter table token_directory add constraint token_directory_one_row check (num_nonnulls(charge_id, link_id) = 1) not valid;

-- Of an order that was made by a click on a payment link. `payer_ref` was typed by the payer's side and proves nothing. `payer`: what the
-- payer typed, sealed under the master key and bound to the charge. `click_attempt` names the click, with its link and what was typed, so that repeating it
-- makes no other order. `click_client`: a keyed hash of the client's address, kept while the order is ACTIVE.
alter table deposit_addresses
  add column payment_link_id uuid,
  add column payer_ref text collate "C",
  add column payer bytea,
  add column click_attempt text collate "C",
  add column click_client bytea;
alter table deposit_addresses
  add constraint deposit_addresses_link_of_order check (payment_link_id is null or kind = 'order') not valid,
  add constraint deposit_addresses_click_of_link
    check (payment_link_id is not null or num_nonnulls(payer_ref, payer, click_attempt, click_client) = 0) not valid,
  add constraint deposit_addresses_payer_ref check (payer_ref ~ '^[A-Za-z0-9_-]{1,64}$') not valid,
  add foreign key (merchant_id, payment_link_id) references payment_links not valid;
create index deposit_addresses_of_link on deposit_addresses (merchant_id, payment_link_id, id) where payment_link_id is not null;
-- Those that take a place of a link, or may: few are ACTIVE.
create index deposit_addresses_places_of_link on deposit_addresses (merchant_id, status, payment_link_id)
  where payment_link_id is not null and status <> 'ARCHIVED';
create index deposit_addresses_paid_of_link on deposit_addresses (merchant_id, payment_link_id)
  where payment_link_id is not null and (paid_at is not null or accepted_at is not null);
create index deposit_addresses_click_client on deposit_addresses (merchant_id, click_client)
  where click_client is not null and status = 'ACTIVE';
create index deposit_addresses_click_attempt on deposit_addresses (merchant_id, click_attempt) where click_attempt is not null;
create index deposit_addresses_payer_ref on deposit_addresses (merchant_id, payer_ref, id) where payer_ref is not null;

-- The origins of web pages that may show this merchant's checkout in a frame.
alter table merchants add column embed_origins text[] collate "C" not null default '{}' check (cardinality(embed_origins) <= 10);
