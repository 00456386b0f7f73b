import type { MessageOf, MessageShape } from "./message.ts";

const RESOURCE = { names: ["BANDWIDTH", "ENERGY", "TRON_POWER"] } as const;

/** protocol.Permission: the keys that may sign for an account, and for which contract types. */
export const PERMISSION_SHAPE = {
  type: [1, { names: ["Owner", "Witness", "Active"] }],
  /** 0 owner, 1 witness, 2 and above active */
  id: [2, "int32"],
  permissionName: [3, "text"],
  /** the sum of weights that a signature needs */
  threshold: [4, "int64"],
  parentId: [5, "int32"],
  /** 32 bytes, one bit for each contract type; only active permissions have them */
  operations: [6, "bytes"],
  keys: [7, { list: { address: [1, "address"], weight: [2, "int64"] } }],
} as const satisfies MessageShape;

export type Permission = MessageOf<typeof PERMISSION_SHAPE>;

/**
 * The contracts that are coded field by field. Fields have java-tron's names in camel case; amounts are sun,
 * `lockPeriod` counts blocks.
 */
export const CONTRACT_SHAPES = {
  transfer: {
    type: 1,
    shape: { ownerAddress: [1, "address"], toAddress: [2, "address"], amount: [3, "int64"] },
  },
  accountUpdate: { type: 10, shape: { accountName: [1, "name"], ownerAddress: [2, "address"] } },
  accountId: { type: 19, shape: { accountId: [1, "name"], ownerAddress: [2, "address"] } },
  trigger: {
    type: 31,
    shape: {
      ownerAddress: [1, "address"],
      contractAddress: [2, "address"],
      callValue: [3, "int64"],
      data: [4, "bytes"],
      callTokenValue: [5, "int64"],
      tokenId: [6, "int64"],
    },
  },
  permissionUpdate: {
    type: 46,
    shape: {
      ownerAddress: [1, "address"],
      owner: [2, { message: PERMISSION_SHAPE }],
      witness: [3, { message: PERMISSION_SHAPE }],
      actives: [4, { list: PERMISSION_SHAPE }],
    },
  },
  freeze: {
    type: 54,
    shape: { ownerAddress: [1, "address"], frozenBalance: [2, "int64"], resource: [3, RESOURCE] },
  },
  unfreeze: {
    type: 55,
    shape: { ownerAddress: [1, "address"], unfreezeBalance: [2, "int64"], resource: [3, RESOURCE] },
  },
  withdrawUnfrozen: { type: 56, shape: { ownerAddress: [1, "address"] } },
  delegate: {
    type: 57,
    shape: {
      ownerAddress: [1, "address"],
      resource: [2, RESOURCE],
      balance: [3, "int64"],
      receiverAddress: [4, "address"],
      lock: [5, "flag"],
      lockPeriod: [6, "int64"],
    },
  },
  undelegate: {
    type: 58,
    shape: {
      ownerAddress: [1, "address"],
      resource: [2, RESOURCE],
      balance: [3, "int64"],
      receiverAddress: [4, "address"],
    },
  },
  cancelUnfreeze: { type: 59, shape: { ownerAddress: [1, "address"] } },
} as const satisfies Record<string, { type: number; shape: MessageShape }>;

export type ContractKind = keyof typeof CONTRACT_SHAPES;

type Contracts = {
  readonly [Kind in ContractKind]: { readonly kind: Kind } & MessageOf<
    (typeof CONTRACT_SHAPES)[Kind]["shape"]
  >;
};

/** A contract of this kind: byte strings are lower-case hex, int64 are bigint. */
export type ContractOf<Kind extends ContractKind> = Contracts[Kind];

export type ShapedContract = ContractOf<ContractKind>;

/** The kind of a contract type number; undefined for a type that is kept as bytes. */
export function contractKind(type: number): ContractKind | undefined {
  return KINDS.get(type);
}

const KINDS: ReadonlyMap<number, ContractKind> = new Map(
  (Object.keys(CONTRACT_SHAPES) as ContractKind[]).map((kind) => [CONTRACT_SHAPES[kind].type, kind]),
);
