-- The statement or the transaction that writes these rows has the row that they name: a body and a delivery come with their event, an
-- attempt with the result of its delivery. Events are never deleted, and `daric retain` deletes a delivery with its attempts.
-- The checks took half of the price of an event in PostgreSQL.
alter table webhook_event_bodies drop constraint webhook_event_bodies_merchant_id_event_id_fkey;
alter table webhook_deliveries drop constraint webhook_deliveries_merchant_id_event_id_fkey;
alter table webhook_attempts drop constraint webhook_attempts_merchant_id_delivery_id_fkey;
