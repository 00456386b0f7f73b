import {
  AnswerError,
  readHeight,
  readInt64,
  readList,
  readObject,
  readText,
} from "@daric/chain/blocks/read-json";
import type { TronNode } from "@daric/chain/nodes/chain-reader";
import { parseResources } from "@daric/chain/nodes/parse-account";
import { callOf } from "@daric/chain/nodes/parse-contract-call";
import { addressWord, uintWord } from "@daric/tron/abi";
import { addressToHex, hexToAddress } from "@daric/tron/address";

const TRANSFER = "transfer(address,uint256)";
const ENERGY = 1;

/** The resources that an address may use without burning TRX, and the network's energy totals. */
export type NodeResources = {
  readonly energy: bigint;
  readonly energyLimit: bigint;
  readonly freeBandwidth: bigint;
  readonly stakedBandwidth: bigint;
  readonly totalEnergyLimit: bigint;
  /** TRX that all accounts have staked for energy */
  readonly totalEnergyWeight: bigint;
};

/** The resources of an account; zero for one that was never activated. */
export function fetchResources(node: TronNode, address: string): Promise<NodeResources> {
  return node.call("/wallet/getaccountresource", { address: addressToHex(address) }, (answer) => {
    const resources = readObject(answer, "account resource");
    const of = (key: string): bigint => readInt64(resources[key], key);
    return {
      ...parseResources(resources),
      energyLimit: of("EnergyLimit"),
      totalEnergyLimit: of("TotalEnergyLimit"),
      totalEnergyWeight: of("TotalEnergyWeight"),
    };
  });
}

export type TokenTransfer = {
  /** contract, base58 */
  readonly token: string;
  readonly from: string;
  readonly to: string;
  readonly units: bigint;
};

/** The energy of exactly this transfer, with penalties of the dynamic energy model; undefined if it would revert. */
export function fetchTransferEnergy(node: TronNode, transfer: TokenTransfer): Promise<bigint | undefined> {
  const parameter = addressWord(addressToHex(transfer.to)) + uintWord(transfer.units);
  const call = { ...callOf(transfer.token, TRANSFER, parameter), owner_address: addressToHex(transfer.from) };
  return node.call("/wallet/triggerconstantcontract", call, (answer) => {
    const result = readObject(answer, "call");
    if (readObject(result.result, "result").result !== true)
      throw new AnswerError("the call of a transfer was refused");
    const [outcome] = readList(readObject(result.transaction ?? {}, "transaction").ret, "ret");
    if (outcome !== undefined && readObject(outcome, "ret").ret === "FAILED") return undefined;
    const energy = readInt64(result.energy_used, "energy_used");
    if (energy === 0n) throw new AnswerError("the call of a transfer says no energy_used");
    return energy;
  });
}

/** Sends a signed transaction to a node. A transaction that the node already has counts as accepted. */
export function broadcast(node: TronNode, txId: string, bytes: Buffer): Promise<Broadcast> {
  return node.call("/wallet/broadcasthex", { transaction: bytes.toString("hex") }, (answer) => {
    const given = readObject(answer, "broadcast");
    const code = readText(given.code, "code") ?? "SUCCESS";
    if (given.result !== true && code !== "DUP_TRANSACTION_ERROR") return { code };
    if (typeof given.txid === "string" && given.txid !== txId)
      throw new AnswerError("the transaction that was broadcast got another id");
    return {};
  });
}

/** The node's answer to a broadcast. `code` is java-tron's reason for a refusal. */
export type Broadcast = { readonly code?: string };

/** The fee of a transaction in sun; undefined while no solid block of this node has it. */
export function fetchFee(node: TronNode, txId: string): Promise<bigint | undefined> {
  return node.call("/walletsolidity/gettransactioninfobyid", { value: txId }, (answer) => {
    const info = readObject(answer, "transaction info");
    if (Object.keys(info).length === 0) return undefined;
    if (info.id !== txId) throw new AnswerError("the info is of another transaction");
    if (readHeight(info.blockNumber, "blockNumber") === 0) throw new AnswerError("the info names no block");
    return readInt64(info.fee, "fee");
  });
}

/** The accounts to which a stake account delegates energy, base58. */
export function fetchReceivers(node: TronNode, stake: string): Promise<readonly string[]> {
  const question = { value: addressToHex(stake) };
  return node.call("/wallet/getdelegatedresourceaccountindexv2", question, (answer) =>
    readList(readObject(answer, "delegations").toAccounts, "toAccounts").map((account) => {
      if (typeof account !== "string") throw new AnswerError("toAccounts is not a list of addresses");
      return hexToAddress(account);
    }),
  );
}

/**
 * The block at which a delegation is read. java-tron's head includes transactions that wait for a block and may still
 * be dropped.
 */
export type LoanState = "head" | "solid";

/** The stake in sun that one account delegates to another for energy, locked or not. */
export function fetchDelegated(
  node: TronNode,
  { stake, receiver, state }: { stake: string; receiver: string; state: LoanState },
): Promise<bigint> {
  const question = { fromAddress: addressToHex(stake), toAddress: addressToHex(receiver) };
  const api = state === "head" ? "/wallet" : "/walletsolidity";
  return node.call(`${api}/getdelegatedresourcev2`, question, (answer) =>
    readList(readObject(answer, "delegation").delegatedResource, "delegatedResource")
      .map((value) =>
        readInt64(readObject(value, "delegation").frozen_balance_for_energy, "frozen_balance_for_energy"),
      )
      .reduce((sum, units) => sum + units, 0n),
  );
}

/** The stake in sun that an account can delegate for energy now. */
export function fetchDelegable(node: TronNode, stake: string): Promise<bigint> {
  const question = { owner_address: addressToHex(stake), type: ENERGY };
  return node.call("/wallet/getcandelegatedmaxsize", question, (answer) =>
    readInt64(readObject(answer, "delegable stake").max_size, "max_size"),
  );
}
