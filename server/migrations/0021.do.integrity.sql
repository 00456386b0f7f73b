-- Kept free for the codes of addresses and events.
select 1;
