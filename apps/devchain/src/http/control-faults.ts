import { headOf, type LocalChain } from "../chain/chain.ts";
import { KEPT_STATES } from "../chain/chain-store.ts";
import { GENESIS } from "../ledger/genesis-accounts.ts";
import {
  addressField,
  amountField,
  type ControlBody,
  ControlError,
  integerField,
  optionalFlag,
  optionalInteger,
  stringField,
  txIdsField,
} from "./control-fields.ts";
import {
  endRepeatedReplacement,
  isWitnessFault,
  listRepeatedReplacement,
  replaceWitnesses,
  WITNESS_FAULTS,
} from "./control-witnesses.ts";
import { type Fault, isOfHeight } from "./faults.ts";
import { isNodePath, type NodeTarget } from "./node-api.ts";

const MAX_DELAY_MS = 10 * 60 * 1000;
const MAX_BLOCKS = 1_000_000;
const MAX_TIMES = 1_000_000;

type Reader = {
  readonly fields: readonly string[];
  readonly read: (chain: LocalChain, body: ControlBody) => Fault;
};

const arrivalFields = ["txId", "from", "to", "amount", "held"];

/** The fields of each kind of fault, besides `kind` and `times`. */
const READERS: { readonly [Kind in Fault["kind"]]: Reader } = {
  log: {
    fields: [...arrivalFields, "contract"],
    read: (chain, body) => ({
      kind: "log",
      ...arrivalOf(chain, body),
      contract: body.contract === undefined ? GENESIS.usdtContract : addressField(body, "contract"),
    }),
  },
  internal: {
    fields: [...arrivalFields, "rejected"],
    read: (chain, body) => {
      const rejected = optionalFlag(body, "rejected") ?? false;
      const arrival = arrivalOf(chain, body);
      const held = rejected && body.held === undefined ? 0n : arrival.held;
      return { kind: "internal", ...arrival, held, rejected };
    },
  },
  status: {
    fields: ["path", "status"],
    read: (_, body) => ({
      kind: "status",
      path: pathField(body),
      status: integerField(body, "status", [200, 599]),
    }),
  },
  body: {
    fields: ["path", "body"],
    read: (_, body) => ({ kind: "body", path: pathField(body), body: stringField(body, "body") }),
  },
  delay: {
    fields: ["path", "delayMs"],
    read: (_, body) => ({
      kind: "delay",
      path: pathField(body),
      delayMs: integerField(body, "delayMs", [1, MAX_DELAY_MS]),
    }),
  },
  height: {
    fields: ["path", "by"],
    read: (_, body) => {
      const path = pathField(body);
      if (!isOfHeight(path))
        throw new ControlError("path", "must be one that answers with a block or its infos");
      return { kind: "height", path, by: integerField(body, "by", [-MAX_BLOCKS, MAX_BLOCKS]) };
    },
  },
  infos: {
    fields: ["path", "drop"],
    read: (_, body) => {
      const path = body.path === undefined ? undefined : pathField(body);
      if (path?.endsWith("/gettransactioninfobyblocknum") === false)
        throw new ControlError("path", "must be one that answers with the infos of a block");
      return { kind: "infos", path, drop: txIdsField(body, "drop") };
    },
  },
  solid: {
    fields: ["back"],
    read: (_, body) => ({
      kind: "solid",
      back: body.back === "head" ? "head" : integerField(body, "back", [1, KEPT_STATES]),
    }),
  },
  internals: {
    fields: ["from", "to"],
    read: (chain, body) => ({
      kind: "internals",
      from: optionalInteger(body, "from", [0, MAX_BLOCKS]) ?? headOf(chain) + 1,
      to: optionalInteger(body, "to", [0, MAX_BLOCKS]) ?? Number.POSITIVE_INFINITY,
    }),
  },
  hidden: {
    fields: ["txId"],
    read: (_, body) => {
      const [txId = ""] = txIdsField({ txId: [body.txId] }, "txId");
      return { kind: "hidden", txId };
    },
  },
  still: { fields: [], read: (chain) => ({ kind: "still", at: headOf(chain) }) },
};

export const FAULT_FIELDS: readonly string[] = [
  ...new Set([
    "kind",
    "times",
    ...Object.values(READERS).flatMap(({ fields }) => fields),
    ...WITNESS_FAULTS.fields,
  ]),
];

/** A fault as it was added, with the number of answers that it has changed and still will (null: no end). */
export type ListedFault = ControlBody & { readonly changed: number; readonly left: number | null };

/** GET /devchain/faults: the active faults, and the repeated replacement of witnesses. */
export function listFaults({ chain, faults }: NodeTarget): {
  readonly faults: readonly ListedFault[];
  readonly standing: readonly object[];
} {
  const shown = faults.map(({ given, changed, left }) => ({
    ...given,
    changed,
    left: Number.isFinite(left) ? left : null,
  }));
  return { faults: shown, standing: listRepeatedReplacement(chain) };
}

/** POST /devchain/faults: adds a fault, or changes the chain's witnesses. @throws ControlError for an invalid one. */
export function addFault({ chain, faults }: NodeTarget, body: ControlBody): object {
  if (isWitnessFault(body))
    return {
      ...listFaults({ chain, faults }),
      replaced: replaceWitnesses(chain, body),
      standing: listRepeatedReplacement(chain),
    };
  const { fault, times } = readFault(chain, body);
  const { times: _, ...given } = body;
  faults.push({ changed: 0, left: times, given, fault });
  return listFaults({ chain, faults });
}

/** DELETE /devchain/faults: removes all faults; replaced witnesses stay. */
export function endFaults({ chain, faults }: NodeTarget): object {
  faults.length = 0;
  endRepeatedReplacement(chain);
  return listFaults({ chain, faults });
}

/** A fault and how many responses it affects; unlimited by default. */
function readFault(chain: LocalChain, body: ControlBody): { fault: Fault; times: number } {
  const { kind } = body;
  if (typeof kind !== "string" || !Object.hasOwn(READERS, kind))
    throw new ControlError(
      "kind",
      `must be one of ${[...Object.keys(READERS), ...WITNESS_FAULTS.kinds].join(", ")}`,
    );
  const { fields, read } = READERS[kind as Fault["kind"]];
  const unknown = Object.keys(body).find((field) => ![...fields, "kind", "times"].includes(field));
  if (unknown !== undefined)
    throw new ControlError(unknown, `is no field of "${kind}", which has ${fields.join(", ")}`);
  const times = optionalInteger(body, "times", [1, MAX_TIMES]) ?? Number.POSITIVE_INFINITY;
  return { fault: read(chain, body), times };
}

function arrivalOf(chain: LocalChain, body: ControlBody) {
  const [txId = ""] = txIdsField({ txId: [body.txId] }, "txId");
  if (!chain.store.numberByTxId.has(txId) && !chain.pool.has(txId))
    throw new ControlError("txId", "must be of a transaction that is in a block or waits for one");
  const amount = amountField(body, "amount");
  if (amount === 0n) throw new ControlError("amount", "must be given");
  const held = body.held === undefined ? amount : body.held === "0" ? 0n : amountField(body, "held");
  return { txId, from: addressField(body, "from"), to: addressField(body, "to"), amount, held };
}

function pathField(body: ControlBody): string {
  const path = stringField(body, "path");
  if (isNodePath(path)) return path;
  throw new ControlError("path", "must be one of this chain's, such as /wallet/getblock");
}
