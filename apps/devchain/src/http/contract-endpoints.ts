import { selectorOf } from "@daric/tron/abi";
import type { ContractOf } from "@daric/tron/contract-shapes";
import { sha256Hex } from "@daric/tron/hash";
import { hexToBytes } from "@noble/hashes/utils.js";
import { buildTransaction } from "../chain/build-transaction.ts";
import type { LocalChain } from "../chain/chain.ts";
import type { AbiEntry, ContractRuntime } from "../contract/contract-runtime.ts";
import { contractAt } from "../ledger/contracts.ts";
import { GENESIS } from "../ledger/genesis-accounts.ts";
import { type ContractRun, runContract } from "../ledger/run-contract.ts";
import { type ApiRequest, addressParam, hexParam, intParam, memoParam, textParam } from "./api-request.ts";
import { requestedState } from "./block-endpoints.ts";
import type { EndpointTable } from "./endpoint.ts";
import { type JsonTree, message } from "./json-text.ts";
import { renderAddress, renderText } from "./render-text.ts";
import { renderTransaction } from "./render-transaction.ts";

const REVERTED = "REVERT opcode executed";

/** Constant calls, at either cursor. */
export const CONSTANT_CALL_ENDPOINTS: EndpointTable = {
  triggerconstantcontract: (chain, request) => constantCall(chain, request, readCall(request)),

  estimateenergy: (chain, request) => {
    const run = runContract(requestedState(chain, request), readCall(request));
    if (run === undefined) return validateError("Smart contract is not exist.", request);
    if (run.outcome.status === "REVERT") {
      return { result: { code: "CONTRACT_EXE_ERROR", message: renderText(REVERTED, request.visible) } };
    }
    return { result: { result: true }, energy_required: BigInt(run.outcome.energy) };
  },
};

/** Building calls and describing contracts, on full nodes only. */
export const CONTRACT_ENDPOINTS: EndpointTable = {
  triggersmartcontract: (chain, request) => {
    const call = readCall(request);
    const runtime = contractAt(call.contractAddress);
    if (runtime === undefined) return validateError("No contract or not a valid smart contract", request);
    // A node executes a read at once and returns no transaction to sign.
    if (runtime.isConstant(call.data)) return constantCall(chain, request, call);
    const transaction = buildTransaction(chain, call, {
      permissionId: Number(intParam(request, "Permission_id")),
      feeLimit: intParam(request, "fee_limit"),
      memo: memoParam(request),
    });
    return { result: { result: true }, transaction: unsigned(transaction, request.visible) };
  },

  getcontract: (_, request) => {
    const address = addressParam(request, "value");
    const runtime = contractAt(address);
    return runtime === undefined ? {} : renderContract(runtime, address, request.visible);
  },

  getcontractinfo: (_, request) => {
    const address = addressParam(request, "value");
    const runtime = contractAt(address);
    if (runtime === undefined) return {};
    return {
      smart_contract: renderContract(runtime, address, request.visible),
      runtimecode: runtime.bytecode,
      contract_state: {},
    };
  },
};

/** The call of a request: `data`, or a function selector and its encoded parameters. */
export function readCall(request: ApiRequest): ContractOf<"trigger"> {
  const selector = textParam(request, "function_selector").replaceAll(/\s/g, "");
  const data =
    selector === "" ? hexParam(request, "data") : selectorOf(selector) + hexParam(request, "parameter");
  return {
    kind: "trigger",
    ownerAddress: addressParam(request, "owner_address"),
    contractAddress: addressParam(request, "contract_address"),
    callValue: intParam(request, "call_value"),
    data,
    callTokenValue: intParam(request, "call_token_value"),
    tokenId: intParam(request, "token_id"),
  };
}

/** A revert has `result: true` too; the transaction's `ret` and the message show it. */
function constantCall(chain: LocalChain, request: ApiRequest, call: ContractOf<"trigger">): JsonTree {
  const run = runContract(requestedState(chain, request), call);
  if (run === undefined) return validateError("Smart contract is not exist.", request);
  const isReverted = run.outcome.status === "REVERT";
  const text = isReverted ? renderText(REVERTED, request.visible) : "";
  return {
    result: { result: true, ...message({ message: text }) },
    ...message({
      energy_used: BigInt(run.outcome.energy),
      energy_penalty: BigInt(run.outcome.energyPenalty),
      logs: renderLogs(run, request.visible),
    }),
    constant_result: [run.outcome.returnData],
    transaction: {
      ret: [isReverted ? { ret: "FAILED" } : {}],
      ...unsigned(buildTransaction(chain, call), request.visible),
    },
  };
}

function renderLogs({ outcome }: ContractRun, visible: boolean): JsonTree[] {
  return outcome.logs.map(({ address, topics, data }) =>
    message({ address: visible ? renderAddress(`41${address}`, true) : address, topics, data }),
  );
}

function unsigned(
  transaction: Parameters<typeof renderTransaction>[0],
  visible: boolean,
): { [key: string]: JsonTree } {
  return { visible, ...renderTransaction(transaction, visible) };
}

function validateError(text: string, { visible }: ApiRequest): JsonTree {
  return { result: { code: "CONTRACT_VALIDATE_ERROR", message: renderText(text, visible) } };
}

function renderContract(runtime: ContractRuntime, address: string, visible: boolean): JsonTree {
  return {
    origin_address: renderAddress(GENESIS.treasury.address, visible),
    contract_address: renderAddress(address, visible),
    abi: { entrys: runtime.abi.map(renderAbiEntry) },
    bytecode: runtime.bytecode,
    name: runtime.name,
    consume_user_resource_percent: 100n,
    origin_energy_limit: 10_000_000n,
    code_hash: sha256Hex(hexToBytes(runtime.bytecode)),
  };
}

function renderAbiEntry({ inputs, outputs, ...entry }: AbiEntry): JsonTree {
  return message({
    ...entry,
    inputs: inputs?.map((parameter) => message({ ...parameter })),
    outputs: outputs?.map((parameter) => message({ ...parameter })),
  });
}
