import { type Database, type Sql, sql } from "@daric/postgres/sql";
import { raw } from "@daric/testing/raw-sql";
import type { SigningRequest } from "../src/policy.ts";

/** The tables between the service and the signer. */
const TABLES = `
create table signing_requests (
  id uuid primary key,
  kind text not null check (kind in ('sweep', 'top_up', 'delegate', 'undelegate')),
  merchant_id uuid,
  derivation_index bigint not null,
  address text not null,
  checkout_token text, address_mac bytea,
  currency text check (currency in ('USDT','TRX')),
  recipient text check (recipient in ('merchant','operator')),
  destination text,
  units bigint not null check (units > 0),
  fee_limit bigint not null default 0,
  block_number bigint not null, block_id text not null, block_time timestamptz not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now()
);
create table signing_results (
  request_id uuid primary key references signing_requests,
  tx_id text, transaction bytea,
  refusal text,
  signed_at timestamptz not null default now(),
  check ((refusal is null) = (tx_id is not null and transaction is not null))
);
create table signer_destinations (
  counter bigint primary key, merchant_id text not null,
  name text not null, address text,
  fee_ceiling jsonb not null,
  seen_at timestamptz not null, acts_from timestamptz not null
);
create table signer_state (one boolean primary key default true check (one), seen_at timestamptz, state jsonb not null)`;

/** Makes the tables, and gives the role exactly the signer's rights. */
export async function createSettlementTables(owner: Database, role: string): Promise<void> {
  const grants = `
    grant select on signing_requests to ${role};
    grant select, insert on signing_results, signer_destinations to ${role};
    grant insert, update on signer_state to ${role}`;
  for (const statement of `${TABLES};${grants}`.split(";")) await owner.query(raw(statement));
}

/** Inserts a request like the service. */
export async function insertRequest(db: Database, request: SigningRequest): Promise<void> {
  await db.query(insertion(request));
}

function insertion(request: SigningRequest): Sql {
  const { id, kind, merchantId, index, address, checkoutToken, currency, recipient, destination } = request;
  const mac = request.addressMac && Buffer.from(request.addressMac);
  const [blockTime, expiresAt] = [new Date(request.blockTimeMs), new Date(request.expiresAtMs)];
  return sql`
    insert into signing_requests (id, kind, merchant_id, derivation_index, address, checkout_token, address_mac, currency,
      recipient, destination, units, fee_limit, block_number, block_id, block_time, expires_at)
    values (${id}, ${kind}, ${merchantId}, ${index}, ${address}, ${checkoutToken}, ${mac}, ${currency},
      ${recipient}, ${destination}, ${request.units}, ${request.feeLimit}, ${request.blockNumber}, ${request.blockId},
      ${blockTime}, ${expiresAt})`;
}
