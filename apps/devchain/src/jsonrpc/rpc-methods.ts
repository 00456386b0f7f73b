import { headOf, type LocalChain, readState } from "../chain/chain.ts";
import { blockAt, blockById, type StoredBlock } from "../chain/chain-store.ts";
import { chainParameter } from "../ledger/chain-parameters.ts";
import { runContract } from "../ledger/run-contract.ts";
import { renderRpcBlock, renderRpcReceipt, renderRpcTransaction } from "./rpc-blocks.ts";
import { findRpcLogs } from "./rpc-logs.ts";
import {
  INTERNAL,
  INVALID_PARAMS,
  INVALID_REQUEST,
  METHOD_NOT_FOUND,
  RpcError,
  RpcLibraryError,
  readBlockNumber,
  readBytes,
  readQuantity,
  readRpcAddress,
  readRpcHash,
  requireLatest,
  rpcBytes,
  rpcQuantity,
} from "./rpc-values.ts";

type Params = readonly unknown[];

/** A method takes exactly `takes` parameters, as jsonrpc4j has it. */
type RpcMethod = {
  readonly takes: number;
  readonly run: (chain: LocalChain, params: Params) => unknown;
};

/** Chain id and version of the network: the last four bytes of block 0. */
const chainId: RpcMethod = { takes: 0, run: (chain) => rpcBytes((chain.store.ids[0] ?? "").slice(-8)) };

const METHODS: ReadonlyMap<string, RpcMethod> = new Map(
  Object.entries<RpcMethod>({
    eth_chainId: chainId,
    net_version: chainId,
    eth_blockNumber: { takes: 0, run: (chain) => rpcQuantity(headOf(chain)) },
    eth_gasPrice: {
      takes: 0,
      run: (chain) => rpcQuantity(chainParameter(readState(chain, "head"), "getEnergyFee")),
    },
    eth_getBalance: { takes: 2, run: getBalance },
    eth_getBlockByNumber: {
      takes: 2,
      run: (chain, [block, isFull]) =>
        rendered(chain, blockAt(chain.store, readBlockNumber(chain, block)), isFull),
    },
    eth_getBlockByHash: {
      takes: 2,
      run: (chain, [id, isFull]) => rendered(chain, blockById(chain.store, readRpcHash(id)), isFull),
    },
    eth_getTransactionByHash: {
      takes: 1,
      run: (chain, [id]) => ofTransaction(chain, id, renderRpcTransaction),
    },
    eth_getTransactionReceipt: {
      takes: 1,
      run: (chain, [id]) => ofTransaction(chain, id, renderRpcReceipt),
    },
    eth_getLogs: { takes: 1, run: (chain, [filter]) => findRpcLogs(chain, readObject(filter)) },
    eth_call: { takes: 2, run: callContract },
  }),
);

/** Methods that java-tron names only to refuse them; clients look for this text. */
const REFUSED: readonly string[] = [
  "eth_getTransactionCount",
  "eth_sendRawTransaction",
  "eth_sendTransaction",
  "eth_sign",
  "eth_signTransaction",
];

/** Runs a method. @throws RpcError when it is unknown, or refuses its parameters. */
export function runRpcMethod(chain: LocalChain, name: string, params: unknown): unknown {
  if (REFUSED.includes(name))
    throw new RpcError(METHOD_NOT_FOUND, `the method ${name} does not exist/is not available`);
  const method = METHODS.get(name);
  if (method === undefined) throw new RpcLibraryError(METHOD_NOT_FOUND, "method not found");
  const given = params ?? [];
  if (!Array.isArray(given) || given.length !== method.takes)
    throw new RpcLibraryError(INVALID_PARAMS, "method parameters invalid");
  return method.run(chain, given);
}

/** Sun, of the newest state with the pool. */
function getBalance(chain: LocalChain, [address, block]: Params): string {
  requireLatest(block);
  return rpcQuantity(readState(chain, "head").account(readRpcAddress(address))?.balance ?? 0n);
}

/** Calls a contract without a transaction. @throws RpcError when it reverts, and without a contract at the address. */
function callContract(chain: LocalChain, [args, block]: Params): string {
  const { from, to, value, data } = readObject(args);
  requireLatest(block);
  const run = runContract(readState(chain, "head"), {
    ownerAddress: readRpcAddress(from ?? `0x${"0".repeat(40)}`),
    contractAddress: readRpcAddress(to ?? ""),
    callValue:
      value === undefined || value === ""
        ? 0n
        : BigInt(readQuantity(value, "invalid param value: invalid hex number")),
    data: readBytes(data),
  });
  if (run === undefined) throw new RpcError(INVALID_REQUEST, "Smart contract is not exist.");
  if (run.outcome.status === "REVERT") throw new RpcError(INTERNAL, "REVERT opcode executed");
  return rpcBytes(run.outcome.returnData);
}

function rendered(chain: LocalChain, stored: StoredBlock | undefined, isFull: unknown): object | null {
  return stored === undefined ? null : renderRpcBlock(chain, stored, isFull === true);
}

function ofTransaction<Rendered>(
  chain: LocalChain,
  id: unknown,
  render: (chain: LocalChain, stored: StoredBlock, index: number) => Rendered,
): Rendered | null {
  const txId = readRpcHash(id);
  const stored = blockAt(chain.store, chain.store.numberByTxId.get(txId) ?? -1);
  if (stored === undefined) return null;
  return render(
    chain,
    stored,
    stored.outcomes.findIndex((outcome) => outcome.txId === txId),
  );
}

function readObject(value: unknown): { readonly [field: string]: unknown } {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
  throw new RpcLibraryError(INVALID_PARAMS, "Failed to read method parameter at index 0");
}
