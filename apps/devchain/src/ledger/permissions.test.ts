import { CONTRACT_SHAPES, type ContractOf, type Permission } from "@daric/tron/contract-shapes";
import { type KeyPair, keyPairFromPhrase, signHash } from "@daric/tron/signature";
import { describe, expect, it } from "vitest";
import {
  accountOf,
  aFundedChain,
  carriedOut,
  delegation,
  executionOutcomeOf,
  freezing,
  send,
  signed,
  trxTransfer,
} from "../../test/chain-builders.ts";
import { buildTransaction } from "../chain/build-transaction.ts";
import { type LocalChain, mineBlock, submitTransaction } from "../chain/chain.ts";
import { findTransaction } from "../chain/chain-store.ts";
import { reorganize } from "../chain/reorganize.ts";
import { GENESIS } from "./genesis-accounts.ts";
import { SUN_PER_TRX } from "./limits.ts";

const STAKE = keyPairFromPhrase("permission stake");
const COLD = keyPairFromPhrase("permission cold");
const HOT = keyPairFromPhrase("permission hot");
const SECOND = keyPairFromPhrase("permission second");
const POOR = keyPairFromPhrase("permission poor");
const TRX = SUN_PER_TRX;
const { delegate: DELEGATE, undelegate: UNDELEGATE } = CONTRACT_SHAPES;

function keysOf(...pairs: readonly KeyPair[]): Permission["keys"] {
  return pairs.map(({ address }) => ({ address, weight: 1n }));
}

function operations(...types: readonly number[]): string {
  const bytes = Buffer.alloc(32);
  for (const type of types) bytes[type >> 3] = (bytes[type >> 3] ?? 0) | (1 << (type & 7));
  return bytes.toString("hex");
}

const OWNER: Permission = {
  type: "Owner",
  id: 0,
  permissionName: "owner",
  threshold: 1n,
  parentId: 0,
  operations: "",
  keys: keysOf(COLD),
};
const ACTIVE: Permission = {
  ...OWNER,
  type: "Active",
  permissionName: "delegations",
  operations: operations(DELEGATE.type, UNDELEGATE.type),
  keys: keysOf(HOT),
};

function update(change: Partial<ContractOf<"permissionUpdate">> = {}): ContractOf<"permissionUpdate"> {
  const { address: ownerAddress } = STAKE;
  return {
    kind: "permissionUpdate",
    ownerAddress,
    owner: OWNER,
    witness: undefined,
    actives: [ACTIVE],
    ...change,
  };
}

/** A stake with a cold owner key, and a hot key that may only delegate and undelegate. */
function aStake(): LocalChain {
  const chain = aFundedChain(1_000n * TRX, STAKE, POOR);
  carriedOut(chain, STAKE, freezing(STAKE, 500n * TRX));
  carriedOut(chain, STAKE, update());
  return chain;
}

function refusalOf(run: () => unknown): string {
  try {
    run();
    return "accepted";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

describe("an active permission", () => {
  it("lets its key do exactly what its bitmap allows, under its number", () => {
    const chain = aStake();
    const contract = delegation(STAKE, POOR, 10n * TRX);
    expect(carriedOut(chain, HOT, contract, { permissionId: 2 }).contractRet).toBe("SUCCESS");
    const refused = (from: KeyPair, permissionId: number, asked = contract) =>
      refusalOf(() => send(chain, from, asked, { permissionId }));
    expect(refused(HOT, 2, trxTransfer(STAKE, POOR.address, 1n))).toBe(
      "Validate signature error: Permission denied",
    );
    expect(refused(HOT, 0)).toContain("is signed by");
    expect(refused(HOT, 3)).toBe("Validate signature error: permission isn't exit");
    expect(refused(COLD, 2)).toContain("is not contained of permission.");
    expect(refused(STAKE, 0)).toContain("is not contained of permission.");
    expect(refused(STAKE, 1)).toBe("Validate signature error: permission isn't exit");
  });

  it("costs 100 TRX to set, and leaves the account without its own key", () => {
    const chain = aFundedChain(1_000n * TRX, STAKE);
    expect(carriedOut(chain, STAKE, update())).toMatchObject({ fee: 100n * TRX, contractRet: "SUCCESS" });
    expect(accountOf(chain, STAKE).permissions).toEqual({ owner: OWNER, actives: [{ ...ACTIVE, id: 2 }] });
    expect(carriedOut(chain, COLD, trxTransfer(STAKE, POOR.address, 1n)).contractRet).toBe("SUCCESS");
  });

  it("that the account cannot pay for is CONTRACT_EXE_ERROR", () => {
    const chain = aFundedChain(100n * TRX - 1n, STAKE);
    expect(refusalOf(() => send(chain, STAKE, update()))).toBe(
      `Contract execute error : ${STAKE.address} insufficient balance, balance: 99999999, amount: 100000000`,
    );
  });

  it("that a reorganisation removes also removes the transactions signed under it", () => {
    const chain = aFundedChain(1_000n * TRX, STAKE, POOR);
    carriedOut(chain, STAKE, freezing(STAKE, 500n * TRX));
    const updateId = send(chain, STAKE, update());
    mineBlock(chain);
    const delegationId = send(chain, HOT, delegation(STAKE, POOR, 10n * TRX), { permissionId: 2 });
    mineBlock(chain);
    reorganize(chain, { depth: 2, drop: [updateId], fail: [], move: [] });
    expect(findTransaction(chain.store, delegationId)).toBeUndefined();
    expect(accountOf(chain, STAKE).delegated.ENERGY).toBe(0n);
  });
});

describe("several signatures", () => {
  const two: Permission = { ...ACTIVE, threshold: 2n, keys: keysOf(HOT, SECOND) };

  function submitSigned(chain: LocalChain, ...signers: readonly KeyPair[]): string {
    const built = buildTransaction(chain, delegation(STAKE, POOR, 10n * TRX), { permissionId: 2 });
    const signatures = signers.map(({ privateKey }) => signHash(built.txId, privateKey));
    submitTransaction(chain, { ...built, signatures });
    return built.txId;
  }

  function aPairOfKeys(): LocalChain {
    const chain = aFundedChain(1_000n * TRX, STAKE, POOR);
    carriedOut(chain, STAKE, freezing(STAKE, 500n * TRX));
    carriedOut(chain, STAKE, update({ actives: [two] }));
    return chain;
  }

  it("reach the threshold together and cost 1 TRX", () => {
    const chain = aPairOfKeys();
    const txId = submitSigned(chain, HOT, SECOND);
    mineBlock(chain);
    expect(executionOutcomeOf(chain, txId).fee).toBe(TRX);
  });

  it.each([
    ["too few", [HOT], "sig error"],
    ["the same twice", [HOT, HOT], "has signed twice!"],
    [
      "more than the permission has keys",
      [HOT, SECOND, COLD],
      "Signature count is 3 more than key counts of permission : 2",
    ],
    ["six", [HOT, HOT, HOT, HOT, HOT, HOT], "too many signatures"],
    ["one of a key without permission", [HOT, POOR], "is not contained of permission."],
  ])("%s are SIGERROR", (_, signers, text) => {
    const chain = aPairOfKeys();
    expect(refusalOf(() => submitSigned(chain, ...signers))).toContain(text);
  });
});

describe("an update of permissions", () => {
  const [first] = ACTIVE.keys;
  it.each([
    ["without an owner permission", update({ owner: undefined }), "owner permission is missed"],
    [
      "with a witness permission",
      update({ witness: OWNER }),
      "account isn't witness can't set witness permission",
    ],
    ["without active ones", update({ actives: [] }), "active permission is missed"],
    ["with nine active ones", update({ actives: Array(9).fill(ACTIVE) }), "active permission is too many"],
    ["without keys", update({ actives: [{ ...ACTIVE, keys: [] }] }), "key's count should be greater than 0"],
    [
      "with a key twice",
      update({ actives: [{ ...ACTIVE, keys: Array(2).fill(first) }] }),
      "address should be distinct in permission Active",
    ],
    [
      "with a threshold that its keys cannot reach",
      update({ actives: [{ ...ACTIVE, threshold: 2n }] }),
      "sum of all key's weight should not be less than threshold in permission Active",
    ],
    ["without a bitmap", update({ actives: [{ ...ACTIVE, operations: "" }] }), "operations size must 32"],
    [
      "with a bit that is no contract type",
      update({ actives: [{ ...ACTIVE, operations: operations(7) }] }),
      "7 isn't a validate ContractType",
    ],
    [
      "with a bitmap for the owner",
      update({ owner: { ...OWNER, operations: operations(1) } }),
      "Owner permission needn't operations",
    ],
  ])("%s is refused with java-tron's text", (_, contract, text) => {
    const chain = aFundedChain(1_000n * TRX, STAKE);
    expect(refusalOf(() => submitTransaction(chain, signed(chain, STAKE, contract)))).toBe(
      `Contract validate error : ${text}`,
    );
  });
});

it("an account that was never activated signs with its own key, and is refused as missing", () => {
  const chain = aFundedChain(TRX, STAKE);
  expect(refusalOf(() => send(chain, COLD, trxTransfer(COLD, GENESIS.payer.address, 1n)))).toContain(
    "does not exist",
  );
});
