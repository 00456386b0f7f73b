-- What a search of the dashboard finds payments by: `=` and a folded reference, a folded word, `$` and an amount, `@` and a sender. The
-- terms are folded by the service. A worker writes them from rows that are committed: creates and the chain's deposits pay nothing for
-- them, and all can be made anew.
create table search_terms (
  merchant_id uuid not null,
  term text collate "C" not null check (char_length(term) <= 130),
  deposit_address_id uuid not null,
  primary key (merchant_id, term, deposit_address_id)
);

-- How far each list of a merchant has its terms: of `rows` rows up to this place. They and the rows after it are as many as the list's
-- total says. Otherwise a commit came later than the worker waits, and the list is read again from its start.
create table search_progress (
  merchant_id uuid not null,
  list text collate "C" not null check (list in ('deposit_addresses', 'deposits')),
  after_at timestamptz not null default '-infinity',
  after_id uuid not null default '00000000-0000-0000-0000-000000000000',
  rows bigint not null default 0 check (rows >= 0),
  restarted_at timestamptz not null default now(),
  primary key (merchant_id, list)
);
