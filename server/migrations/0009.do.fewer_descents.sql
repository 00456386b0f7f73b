-- The id of a charge has the time of `created_at` in it, to the microsecond, so that the order of ids is that of
-- (created_at, id): the newest are at the end of the primary key, and of each index that ends with the id.
drop index deposit_addresses_newest;
drop index deposit_addresses_order_ref;
create index deposit_addresses_order_ref on deposit_addresses (merchant_id, order_ref, id) where order_ref is not null;
drop index deposit_addresses_customer_ref;
create index deposit_addresses_customer_ref
  on deposit_addresses (merchant_id, customer_ref, id) where customer_ref is not null;
-- Those that wait for money are few, whatever there was before: what is made enters an index that stays small.
drop index deposit_addresses_newest_of_facet;
create index deposit_addresses_newest_active on deposit_addresses (merchant_id, kind, id) where status = 'ACTIVE';
create index deposit_addresses_newest_done on deposit_addresses (merchant_id, kind, status, id) where status <> 'ACTIVE';

-- The row of a charge's sums is made by the statement that stores its first deposit; before that every sum is zero.
comment on table charge_sums is 'from the first deposit of a charge on';
