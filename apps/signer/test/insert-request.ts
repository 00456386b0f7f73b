import { type Database, type Sql, sql } from "@daric/postgres/sql";
import type { SigningRequest } from "../src/policy.ts";

/** Asks for a signature as the service does. */
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
