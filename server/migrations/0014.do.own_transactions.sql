-- What our addresses signed, from the blocks that were read, whether it succeeded or failed and whether it moved anything.
-- `most_burnt`: sun that its fees took at most, by what the root of its block covers. `returned`: sun that came back to the
-- address by no transfer (unstaked, rewards), by the word of one node. As of outflows, a row counts while its block is in
-- the chain.
create table own_transactions (
  merchant_id uuid not null,
  network text not null,
  tx_id text not null check (tx_id ~ '^[0-9a-f]{64}$'),
  deposit_address_id uuid not null,
  address text not null,
  most_burnt numeric not null check (most_burnt >= 0),
  returned numeric not null check (returned >= 0),
  block_number bigint not null,
  block_id text not null,
  created_at timestamptz not null default now(),
  primary key (merchant_id, network, tx_id)
);
create index own_transactions_of_address on own_transactions (merchant_id, address, block_number);

-- Of what was read before, those are known that moved something.
insert into own_transactions
  (merchant_id, network, tx_id, deposit_address_id, address, most_burnt, returned, block_number, block_id)
select distinct on (merchant_id, network, tx_id)
  merchant_id, network, tx_id, deposit_address_id, address, 50000000, 0, block_number, block_id
from outflows where is_covered order by merchant_id, network, tx_id, address;
