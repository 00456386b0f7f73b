-- `rest_of` is the order that this order asks the missing money of. An order has one open rest at a time. The other index finds all
-- rests of an order. Without a foreign key: the statement that makes a rest has locked its order, and no charge is ever deleted.
alter table deposit_addresses
  add column rest_of uuid,
  add constraint deposit_addresses_rest_is_order check (rest_of is null or kind = 'order');
create unique index deposit_addresses_one_open_rest on deposit_addresses (merchant_id, rest_of)
  where rest_of is not null and status = 'ACTIVE';
create index deposit_addresses_rests on deposit_addresses (merchant_id, rest_of, id) where rest_of is not null;
