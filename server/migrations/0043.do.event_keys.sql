-- Each of these keys is checked in another place. The statement that inserts events takes their places from the merchant's row of
-- `event_positions`, which names the merchant. A delivery is inserted for an endpoint that its transaction has read, and endpoints are
-- never deleted. The checks locked a row for each event and for each delivery.
alter table webhook_events drop constraint webhook_events_merchant_id_fkey;
alter table webhook_deliveries drop constraint webhook_deliveries_merchant_id_endpoint_id_fkey;
