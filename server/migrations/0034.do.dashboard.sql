-- An operator's stop: no new charges. What exists goes on: payments are credited and announced.
alter table merchants add column suspended_at timestamptz;

-- What people of a merchant wrote about a payment. `decision` is the one that the note explains; a charge that was decided about leaves the
-- inbox until something new happens to it. Rows are never changed and never deleted.
create table payment_notes (
  merchant_id uuid not null,
  id uuid not null,
  deposit_address_id uuid not null,
  person_id uuid not null,
  decision text check (decision in ('accept', 'extend', 'archive', 'dismiss')),
  text text not null check (char_length(text) <= 2000),
  created_at timestamptz not null default now(),
  primary key (merchant_id, id)
);
create index payment_notes_of_charge on payment_notes (merchant_id, deposit_address_id, created_at);

-- Wallets that owners ask for. None counts: the operator's command line adds settlement accounts, and the signer vets them.
create table wallet_requests (
  merchant_id uuid not null,
  id uuid not null,
  address text not null check (address ~ '^T[1-9A-HJ-NP-Za-km-z]{33}$'),
  label text check (char_length(label) <= 120),
  person_id uuid not null,
  created_at timestamptz not null default now(),
  withdrawn_at timestamptz,
  primary key (merchant_id, id)
);
