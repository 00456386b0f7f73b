-- Deliveries are listed in the order of their ids, which begin with their time: the key has it. An entry here was a seventh of the time
-- that PostgreSQL needs for a delivery, since each attempt wrote it twice more.
drop index webhook_deliveries_newest;
