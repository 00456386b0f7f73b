-- Which pepper a key was made under: the beginning of an HMAC under that pepper, which reveals nothing of it. Null for keys from before
-- this column, which were made under the first pepper of the database.
alter table api_keys add column pepper_id bytea check (octet_length(pepper_id) = 8);
