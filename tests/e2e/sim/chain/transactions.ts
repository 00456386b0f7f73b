import { bytesField, digestOf, messageOf, numberField, treeRoot, utf8Field, wordOf } from "./bytes.ts";
import { keyOf, type SigningKey, signature } from "./keys.ts";

/** A movement of money. The database must have it if it pays one of the service's addresses. */
export type MovedMoney = {
  readonly source: "transfer" | "log" | "internal";
  readonly eventIndex: number;
  readonly currency: "USDT" | "TRX";
  readonly fromHex: string;
  readonly toHex: string;
  readonly units: bigint;
};

/** The effect of a transaction in one block. In another block a contract may decide otherwise. */
export type Effect = {
  readonly result: keyof typeof RESULTS;
  /** further fields of the transaction's info */
  readonly info: object;
  readonly movements: readonly MovedMoney[];
};

/** A signed transaction in the form of nodes, and its hashed bytes. */
export type SignedTransaction = {
  readonly id: string;
  readonly json: {
    readonly raw_data: object;
    readonly raw_data_hex: string;
    readonly signature: readonly string[];
  };
  readonly bytes: Buffer;
  readonly expirationMs: number;
  readonly effect: Effect;
  /** its effect in another block after a fork, if its contract then decides otherwise */
  readonly otherEffect?: Effect;
};

/** A transaction in a block. */
export type IncludedTransaction = { readonly signed: SignedTransaction; readonly effect: Effect };

/** protocol.Transaction.Result.contractResult, as far as it occurs here. */
const RESULTS = { SUCCESS: 1, REVERT: 2, OUT_OF_ENERGY: 10, OUT_OF_TIME: 11, TRANSFER_FAILED: 14 } as const;

const CONTRACT_TYPES = {
  TransferContract: 1,
  TransferAssetContract: 2,
  TriggerSmartContract: 31,
  DelegateResourceContract: 57,
} as const;

/** The signed content: one contract, its owner, and its expiration. */
export type Order = {
  readonly type: keyof typeof CONTRACT_TYPES;
  readonly value: Readonly<Record<string, unknown>>;
  readonly valueBytes: Buffer;
  readonly by: SigningKey;
  readonly timeMs: number;
  readonly expirationMs: number;
  readonly effect: Effect;
  readonly otherEffect?: Effect;
};

/** Signs a transaction; two with the same content differ by `timeMs`. */
export function signTransaction(order: Order): SignedTransaction {
  const typeUrl = `type.googleapis.com/protocol.${order.type}`;
  const isCall = order.type === "TriggerSmartContract";
  const feeLimit = isCall ? 100_000_000 : 0;
  const [blockBytes, blockHash] = ["00aa", "1122334455667788"];
  const contract = Buffer.concat([
    numberField(1, CONTRACT_TYPES[order.type]),
    messageOf(2, Buffer.concat([utf8Field(1, typeUrl), messageOf(2, order.valueBytes)])),
  ]);
  const raw = Buffer.concat([
    bytesField(1, blockBytes),
    bytesField(4, blockHash),
    numberField(8, order.expirationMs),
    messageOf(11, contract),
    numberField(14, order.timeMs),
    numberField(18, feeLimit),
  ]);
  const hash = digestOf(raw);
  const signatureHex = signature(hash, order.by, 27);
  return {
    id: hash.toString("hex"),
    json: {
      raw_data: {
        contract: [{ parameter: { value: order.value, type_url: typeUrl }, type: order.type }],
        ref_block_bytes: blockBytes,
        ref_block_hash: blockHash,
        expiration: order.expirationMs,
        timestamp: order.timeMs,
        ...(isCall ? { fee_limit: feeLimit } : {}),
      },
      raw_data_hex: raw.toString("hex"),
      signature: [signatureHex],
    },
    bytes: Buffer.concat([messageOf(1, raw), bytesField(2, signatureHex)]),
    expirationMs: order.expirationMs,
    effect: order.effect,
    ...(order.otherEffect && { otherEffect: order.otherEffect }),
  };
}

/** The root over transactions and their results. */
export function rootOfTransactions(included: readonly IncludedTransaction[]): string {
  return treeRoot(
    included.map(({ signed, effect }) =>
      digestOf(Buffer.concat([signed.bytes, messageOf(5, numberField(3, RESULTS[effect.result]))])),
    ),
  );
}

/** The fields of a TransferContract. */
export function transferValue(
  fromHex: string,
  toHex: string,
  units: bigint,
): Pick<Order, "value" | "valueBytes"> {
  return {
    value: { owner_address: fromHex, to_address: toHex, amount: Number(units) },
    valueBytes: Buffer.concat([bytesField(1, fromHex), bytesField(2, toHex), numberField(3, units)]),
  };
}

/** The fields of a TransferAssetContract: TRC-10, which the service never credits. */
export function assetValue(
  fromHex: string,
  toHex: string,
  units: bigint,
): Pick<Order, "value" | "valueBytes"> {
  const asset = Buffer.from("1002000").toString("hex");
  return {
    value: { asset_name: asset, owner_address: fromHex, to_address: toHex, amount: Number(units) },
    valueBytes: Buffer.concat([
      bytesField(1, asset),
      bytesField(2, fromHex),
      bytesField(3, toHex),
      numberField(4, units),
    ]),
  };
}

/** The fields of a DelegateResourceContract: energy, whose `balance` is no payment. */
export function delegationValue(
  fromHex: string,
  toHex: string,
  units: bigint,
): Pick<Order, "value" | "valueBytes"> {
  return {
    value: { owner_address: fromHex, resource: "ENERGY", balance: Number(units), receiver_address: toHex },
    valueBytes: Buffer.concat([
      bytesField(1, fromHex),
      numberField(2, 1),
      numberField(3, units),
      bytesField(4, toHex),
    ]),
  };
}

/** The fields of a TriggerSmartContract. */
export function callValue(
  fromHex: string,
  contractHex: string,
  call: { readonly data: string; readonly sun?: bigint },
): Pick<Order, "value" | "valueBytes"> {
  const { data, sun = 0n } = call;
  return {
    value: {
      owner_address: fromHex,
      contract_address: contractHex,
      data,
      ...(sun > 0n ? { call_value: Number(sun) } : {}),
    },
    valueBytes: Buffer.concat([
      bytesField(1, fromHex),
      bytesField(2, contractHex),
      numberField(3, sun),
      bytesField(4, data),
    ]),
  };
}

/** A foreign address. */
export function otherAddressHex(name: string): string {
  return keyOf(`stranger ${name}`).addressHex;
}

/** The ABI's call data: four bytes of the function's hash, then words. */
export function callData(selector: string, ...words: readonly (bigint | string)[]): string {
  return selector + words.map(wordOf).join("");
}
