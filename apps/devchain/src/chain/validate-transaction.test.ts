import { keyPairFromPhrase, signHash } from "@daric/tron/signature";
import { type RawData, type TronTransaction, transactionFromRaw } from "@daric/tron/transaction";
import { describe, expect, it } from "vitest";
import { aChain, mineBlocks, signed, trxTransfer } from "../../test/chain-builders.ts";
import { BroadcastRefusal } from "../ledger/broadcast-refusal.ts";
import { GENESIS } from "../ledger/genesis-accounts.ts";
import { SLOT_MS } from "../ledger/limits.ts";
import { headTimeMs, type LocalChain, mineBlock, submitTransaction } from "./chain.ts";
import { findTransaction } from "./chain-store.ts";

const { payer, treasury } = GENESIS;
const OTHER_KEY = keyPairFromPhrase("validate stranger");
const HOUR_MS = 60 * 60 * 1000;

/** A valid transfer with changed raw_data, by default signed by the payer. */
function altered(chain: LocalChain, changes: Partial<RawData>, signer = payer): TronTransaction {
  const { raw } = signed(chain, payer, trxTransfer(payer, treasury.address, 1n));
  const transaction = transactionFromRaw({ ...raw, ...changes });
  return { ...transaction, signatures: [signHash(transaction.txId, signer.privateKey)] };
}

function codeOf(chain: LocalChain, transaction: TronTransaction): string {
  try {
    submitTransaction(chain, transaction);
    return "accepted";
  } catch (error) {
    if (error instanceof BroadcastRefusal) return error.code;
    throw error;
  }
}

describe("a broadcast", () => {
  it("with another account's signature is SIGERROR", () => {
    const chain = aChain();
    expect(codeOf(chain, altered(chain, {}, OTHER_KEY))).toBe("SIGERROR");
  });

  it("without a signature, with two, or with a short one is SIGERROR", () => {
    const chain = aChain();
    const transaction = altered(chain, {});
    const [signature = ""] = transaction.signatures;
    for (const signatures of [[], [signature, signature], [signature.slice(2)]]) {
      expect(codeOf(chain, { ...transaction, signatures })).toBe("SIGERROR");
    }
  });

  it("with the default active permission is accepted, with an unknown one SIGERROR", () => {
    const chain = aChain();
    const [contract] = altered(chain, {}).raw.contracts;
    if (contract === undefined) throw new Error("no contract");
    expect(codeOf(chain, altered(chain, { contracts: [{ ...contract, permissionId: 2 }] }))).toBe("accepted");
    expect(codeOf(chain, altered(chain, { contracts: [{ ...contract, permissionId: 3 }] }))).toBe("SIGERROR");
  });

  it("that refers to an unknown block is TAPOS_ERROR", () => {
    const chain = aChain();
    expect(codeOf(chain, altered(chain, { refBlockHash: "00".repeat(8) }))).toBe("TAPOS_ERROR");
    expect(codeOf(chain, altered(chain, { refBlockBytes: "ffff" }))).toBe("TAPOS_ERROR");
    expect(codeOf(chain, altered(chain, { refBlockBytes: "" }))).toBe("TAPOS_ERROR");
  });

  it("that expires before the slot after the head, or more than a day after it, is TRANSACTION_EXPIRATION_ERROR", () => {
    const chain = aChain();
    const head = BigInt(headTimeMs(chain));
    const latest = head + BigInt(24 * HOUR_MS);
    const next = head + BigInt(SLOT_MS);
    expect(codeOf(chain, altered(chain, { expiration: next - 1n }))).toBe("TRANSACTION_EXPIRATION_ERROR");
    expect(codeOf(chain, altered(chain, { expiration: next }))).toBe("accepted");
    expect(codeOf(chain, altered(chain, { expiration: latest + 1n }))).toBe("TRANSACTION_EXPIRATION_ERROR");
    expect(codeOf(chain, altered(chain, { expiration: latest }))).toBe("accepted");
  });

  it("that repeats a waiting or mined transaction is DUP_TRANSACTION_ERROR", () => {
    const chain = aChain();
    const transaction = altered(chain, {});
    expect(codeOf(chain, transaction)).toBe("accepted");
    expect(codeOf(chain, transaction)).toBe("DUP_TRANSACTION_ERROR");
    mineBlocks(chain, 1);
    expect(codeOf(chain, transaction)).toBe("DUP_TRANSACTION_ERROR");
  });

  it("of more than 500 KiB is TOO_BIG_TRANSACTION_ERROR", () => {
    const chain = aChain();
    expect(codeOf(chain, altered(chain, { data: "00".repeat(512_000) }))).toBe("TOO_BIG_TRANSACTION_ERROR");
  });

  it("of an unsupported contract type is CONTRACT_VALIDATE_ERROR and names the type", () => {
    const chain = aChain();
    const contracts = [{ type: 4, permissionId: 0, value: { kind: "opaque", value: "" } as const }];
    expect(() => submitTransaction(chain, altered(chain, { contracts }))).toThrow("VoteWitnessContract");
    expect(codeOf(chain, altered(chain, { contracts }))).toBe("CONTRACT_VALIDATE_ERROR");
  });

  it("that expires while it waits is dropped from the pool unmined", () => {
    const chain = aChain();
    const transaction = altered(chain, {});
    mineBlock(chain, HOUR_MS);
    chain.pool.set(transaction.txId, transaction);
    mineBlock(chain);
    expect(chain.pool.size).toBe(0);
    expect(findTransaction(chain.store, transaction.txId)).toBeUndefined();
  });
});
