-- The dashboard finds orders by the beginning of their reference. This index compares bytes, so it serves that in any collation, and
-- equality too.
drop index deposit_addresses_order_ref;
create index deposit_addresses_order_ref on deposit_addresses (merchant_id, order_ref text_pattern_ops, id)
  where order_ref is not null;

-- The newest forks: few blocks ever leave the chain.
create index blocks_orphaned on blocks (network, orphaned_at) where orphaned_at is not null;
