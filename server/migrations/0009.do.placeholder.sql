select 9;
