import type { Token } from "@daric/domain/asset";
import { addressWord, TRANSFER_TOPIC, uintWord } from "@daric/tron/abi";
import { hexToAddress } from "@daric/tron/address";
import { blockId, headerHash } from "@daric/tron/block";
import { contractTypeName } from "@daric/tron/contract-types";
import { sha256Hex } from "@daric/tron/hash";
import { merkleRoot } from "@daric/tron/merkle";
import { hexField, intField } from "@daric/tron/protobuf";
import { type KeyPair, keyPairFromPhrase, signHash } from "@daric/tron/signature";
import {
  type ContractValue,
  contractTypeUrl,
  type TronTransaction,
  transactionFromRaw,
  transactionLeaf,
} from "@daric/tron/transaction";

/** A block of mainnet's size in January 2026 as a node's JSON, with and without transactions, and its infos. */
export type FullBlock = {
  readonly number: number;
  readonly id: string;
  readonly block: string;
  readonly header: string;
  readonly infos: string;
  readonly usdtContractHex: string;
  /** USDT alone */
  readonly tokens: readonly Token[];
};

export type BlockPosition = {
  readonly number: number;
  readonly parentId: string;
  readonly timeMs: number;
  readonly witness: KeyPair;
  readonly usdtContractHex: string;
  /** the receiver of its first USDT transfer */
  readonly payeeHex?: string | undefined;
};

const NUMBER = 78_861_100;
const SUCCESS = 1;
const USDT = "41a614f803b6fd780986a42c78ec9c7f77e6ded13c";
const CALL_NOTE = Buffer.from("call").toString("hex");

/** Transactions of each kind in a block of 383. */
const KINDS = {
  usdt: 75,
  trx: 140,
  delegate: 60,
  undelegate: 40,
  asset: 10,
  vote: 10,
  token: 20,
  router: 28,
} as const;
type Kind = keyof typeof KINDS;

type Plan = {
  readonly type: number;
  readonly value: ContractValue;
  /** the contract as nodes print it in JSON */
  readonly printed: object;
  readonly contractHex?: string;
  readonly logs?: readonly object[];
  readonly internals?: readonly object[];
};

/** The block of a fixed position, so always the same one. */
export function fullBlock(): FullBlock {
  return fullBlockAt({
    number: NUMBER,
    parentId: (NUMBER - 1).toString(16).padStart(16, "0") + "ab".repeat(24),
    timeMs: 1_767_246_180_000,
    witness: keyPairFromPhrase("witness"),
    usdtContractHex: USDT,
  });
}

/** The block at a position: addresses hash their numbers, transactions have its time. */
export function fullBlockAt(at: BlockPosition): FullBlock {
  const plans = plansOf(at);
  const transactions = plans.map((plan, place) => transactionOf(plan, place, at));
  const header = {
    timestamp: at.timeMs,
    txTrieRoot: merkleRoot(transactions.map((transaction) => transactionLeaf(transaction, SUCCESS))),
    parentHash: at.parentId,
    number: at.number,
    witnessId: 0,
    witnessAddress: at.witness.address,
    version: 34,
    accountStateRoot: "",
  };
  const { number, txTrieRoot, parentHash, version, timestamp, witnessAddress: witness_address } = header;
  const headerFields = {
    blockID: blockId(header),
    block_header: {
      raw_data: { number, txTrieRoot, witness_address, parentHash, version, timestamp },
      witness_signature: signHash(headerHash(header), at.witness.privateKey),
    },
  };
  const block = {
    ...headerFields,
    transactions: transactions.map((transaction, place) => printed(transaction, plans[place])),
  };
  const infos = transactions.map(({ txId }, place) => infoOf(txId, plans[place], at));
  return {
    number,
    id: headerFields.blockID,
    block: JSON.stringify(block),
    header: JSON.stringify(headerFields),
    infos: JSON.stringify(infos),
    usdtContractHex: at.usdtContractHex,
    tokens: [
      { currency: "USDT", contract: hexToAddress(at.usdtContractHex), contractHex: at.usdtContractHex },
    ],
  };
}

function plansOf({ usdtContractHex, payeeHex }: BlockPosition): Plan[] {
  const kinds = Object.entries(KINDS).flatMap(([kind, count]) => Array<Kind>(count).fill(kind as Kind));
  // Shuffled by hash, as kinds are mixed on the chain.
  const mixed = kinds
    .map((kind, place) => ({ kind, order: sha256Hex(Buffer.from(`order ${place}`)) }))
    .toSorted((left, right) => (left.order < right.order ? -1 : 1));
  const first = mixed.findIndex(({ kind }) => kind === "usdt");
  return mixed.map(({ kind }, place) =>
    planOf(kind, place, { usdtContractHex, payeeHex: place === first ? payeeHex : undefined }),
  );
}

const hashOf = (text: string | number) => sha256Hex(Buffer.from(String(text)));
const addressOf = (text: string | number) => `41${hashOf(text).slice(0, 40)}`;

function planOf(
  kind: Kind,
  place: number,
  { usdtContractHex, payeeHex }: Pick<BlockPosition, "usdtContractHex" | "payeeHex">,
): Plan {
  const [from, to] = [addressOf(`from ${place}`), payeeHex ?? addressOf(`to ${place}`)];
  const units = BigInt(1_000_000 + place * 977);
  if (kind === "trx") {
    const value = { kind: "transfer", ownerAddress: from, toAddress: to, amount: units } as const;
    return { type: 1, value, printed: { amount: Number(units), owner_address: from, to_address: to } };
  }
  if (kind === "usdt" || kind === "token") {
    const contractHex = kind === "usdt" ? usdtContractHex : addressOf(`token ${place % 5}`);
    const data = `a9059cbb${addressWord(to)}${uintWord(units)}`;
    return { ...callOf(from, contractHex, data), logs: [transferLog(contractHex, { from, to, units })] };
  }
  if (kind === "router") return routerPlan({ from, to, units }, usdtContractHex);
  return otherPlan(kind, { from, to, units });
}

type TransferEnds = { readonly from: string; readonly to: string; readonly units: bigint };

/** A swap: two tokens move through a pool, another event is logged, and TRX comes back. */
function routerPlan({ from, to, units }: TransferEnds, usdtContractHex: string): Plan {
  const [pool, router] = [addressOf("pool"), addressOf("router")];
  const words = Array.from({ length: 7 }, (_, word) => uintWord(units + BigInt(word)));
  const internal = (toHex: string, callValueInfo: object[]) => ({
    caller_address: router,
    note: CALL_NOTE,
    transferTo_address: toHex,
    callValueInfo,
    hash: hashOf(`${to} ${toHex} ${callValueInfo.length}`),
  });
  return {
    ...callOf(from, router, `18cbafe5${words.join("")}`),
    logs: [
      transferLog(usdtContractHex, { from, to: pool, units }),
      transferLog(addressOf("wrapped"), { from: pool, to: router, units }),
      { address: pool.slice(2), topics: [hashOf("Sync")], data: uintWord(units) + uintWord(units) },
      { address: pool.slice(2), topics: [hashOf("Swap"), addressWord(router)], data: words.join("") },
    ],
    internals: [
      internal(pool, [{}]),
      internal(to, [{ callValue: Number(units) }]),
      internal(usdtContractHex, [{}]),
    ],
  };
}

/** A transaction that moves no money, like a third of mainnet's. */
function otherPlan(kind: Kind, { from, to, units }: TransferEnds): Plan {
  const balance = Number(units);
  const fields = {
    delegate: [57, [hexField(1, from), intField(2, 1), intField(3, balance), hexField(4, to)]],
    undelegate: [58, [hexField(1, from), intField(2, 1), intField(3, balance), hexField(4, to)]],
    asset: [2, [hexField(1, "31303030303031"), hexField(2, from), hexField(3, to), intField(4, balance)]],
    vote: [4, [hexField(1, from), hexField(2, "0a00")]],
  } as const;
  const [type, bytes] = fields[kind as keyof typeof fields];
  const value = { kind: "opaque", value: Buffer.concat(bytes).toString("hex") } as const;
  const printed = { owner_address: from, receiver_address: to, balance, resource: "ENERGY" };
  return { type, value, printed };
}

function callOf(from: string, contractHex: string, data: string): Plan {
  const amounts = { callValue: 0n, callTokenValue: 0n, tokenId: 0n };
  const value = {
    kind: "trigger",
    ownerAddress: from,
    contractAddress: contractHex,
    data,
    ...amounts,
  } as const;
  return {
    type: 31,
    value,
    contractHex,
    printed: { data, owner_address: from, contract_address: contractHex },
  };
}

function transferLog(contractHex: string, { from, to, units }: TransferEnds): object {
  const topics = [TRANSFER_TOPIC, addressWord(from), addressWord(to)];
  return { address: contractHex.slice(2), data: uintWord(units), topics };
}

function transactionOf({ type, value }: Plan, place: number, { timeMs }: BlockPosition): TronTransaction {
  const raw = {
    refBlockBytes: "52ab",
    refBlockHash: "00112233445566ff",
    expiration: BigInt(timeMs + 57_000),
    data: "",
    contracts: [{ type, permissionId: 0, value }],
    timestamp: BigInt(timeMs - 3_000 - place),
    feeLimit: type === 31 ? 30_000_000n : 0n,
  };
  const { txId } = transactionFromRaw(raw);
  return transactionFromRaw(raw, [`${txId}${hashOf(txId)}1b`]);
}

function printed({ txId, rawHex, raw, signatures }: TronTransaction, plan: Plan | undefined): object {
  const type = plan?.type ?? 0;
  return {
    ret: [{ contractRet: "SUCCESS" }],
    signature: signatures,
    txID: txId,
    raw_data: {
      contract: [
        {
          parameter: { value: plan?.printed, type_url: contractTypeUrl(type) },
          type: contractTypeName(type),
        },
      ],
      ref_block_bytes: raw.refBlockBytes,
      ref_block_hash: raw.refBlockHash,
      expiration: Number(raw.expiration),
      ...(raw.feeLimit > 0n && { fee_limit: Number(raw.feeLimit) }),
      timestamp: Number(raw.timestamp),
    },
    raw_data_hex: rawHex,
  };
}

function infoOf(id: string, plan: Plan | undefined, { number, timeMs }: BlockPosition): object {
  const isRun = plan?.contractHex !== undefined;
  const receipt = isRun
    ? {
        energy_usage: 64_285,
        energy_usage_total: 64_285,
        net_usage: 345,
        result: "SUCCESS",
        energy_penalty_total: 49_635,
      }
    : { net_usage: 268 };
  return {
    ...(plan?.logs && { log: plan.logs }),
    blockNumber: number,
    contractResult: [isRun ? uintWord(0n) : ""],
    blockTimeStamp: timeMs,
    receipt,
    id,
    ...(isRun && { contract_address: plan.contractHex }),
    ...(plan?.internals && { internal_transactions: plan.internals }),
  };
}
