-- A delivery of a reference is found by the events of its resource, which have an index. An entry here took a third of the time of a
-- new delivery, and each attempt wrote it twice more.
drop index webhook_deliveries_of_reference;

-- A delivery is PENDING and SENDING for a moment. Those that stay so are found among the waiting ones, or among the newest.
drop index webhook_deliveries_newest_of_facet;
create index webhook_deliveries_newest_of_facet on webhook_deliveries (merchant_id, status, created_at desc, id desc)
  where status in ('DELIVERED', 'FAILED', 'EXHAUSTED');
