-- What a role may do is code (`merchant-role.ts`).
alter table memberships drop constraint memberships_role_check;
alter table memberships add constraint memberships_role_check
  check (role in ('viewer', 'accountant', 'support', 'cashier', 'developer', 'admin', 'owner'));
alter table one_time_links drop constraint one_time_links_role_check;
alter table one_time_links add constraint one_time_links_role_check
  check (role in ('viewer', 'accountant', 'support', 'cashier', 'developer', 'admin', 'owner'));

-- The person who made an order or a link in the dashboard; null where a key did. Orders of a link and rests of an order take it over. It never
-- changes: a cashier sees the rows with the cashier's own id, and no others.
alter table deposit_addresses add column created_by uuid;
create index deposit_addresses_of_maker on deposit_addresses (merchant_id, created_by, id) where created_by is not null;
alter table payment_links add column created_by uuid;
create index payment_links_of_maker on payment_links (merchant_id, created_by, created_at, id) where created_by is not null;
