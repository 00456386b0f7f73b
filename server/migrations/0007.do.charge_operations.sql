-- What a merchant keeps with a charge for itself (`metadata`, text by name) and of which of its customers a standing
-- address is (`customer_ref`). `accepted_at` and `accept_reason` say that it took what had arrived for the whole of an order.
alter table deposit_addresses
  add column metadata jsonb check (jsonb_typeof(metadata) = 'object'),
  add column customer_ref text check (char_length(customer_ref) between 1 and 120),
  add column accepted_at timestamptz,
  add column accept_reason text check (char_length(accept_reason) <= 500),
  add constraint deposit_addresses_customer_of_receive check (customer_ref is null or kind = 'receive'),
  add constraint deposit_addresses_accepted_order
    check (accepted_at is null or (kind = 'order' and status = 'ARCHIVED')),
  add constraint deposit_addresses_accept_reason_of_accepted
    check (accept_reason is null or accepted_at is not null);

-- One standing address for each customer, and one for no customer in particular.
drop index deposit_addresses_one_receive;
create unique index deposit_addresses_one_receive
  on deposit_addresses (merchant_id, chain, currency, settlement_account_id, coalesce(customer_ref, ''))
  where kind = 'receive';
create index deposit_addresses_customer_ref
  on deposit_addresses (merchant_id, customer_ref, created_at desc, id desc) where customer_ref is not null;
