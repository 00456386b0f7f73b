import type { AbiEntry, AbiParameter } from "./contract-runtime.ts";

function view(name: string, output: string, inputs: readonly AbiParameter[] = []): AbiEntry {
  return {
    type: "Function",
    name,
    stateMutability: "View",
    constant: true,
    ...(inputs.length > 0 && { inputs }),
    outputs: [{ type: output }],
  };
}

function write(
  name: string,
  inputs: readonly AbiParameter[] = [],
  outputs: readonly AbiParameter[] = [],
): AbiEntry {
  return {
    type: "Function",
    name,
    stateMutability: "Nonpayable",
    ...(inputs.length > 0 && { inputs }),
    ...(outputs.length > 0 && { outputs }),
  };
}

function event(name: string, inputs: readonly AbiParameter[] = []): AbiEntry {
  return { type: "Event", name, ...(inputs.length > 0 && { inputs }) };
}

const BOOL = [{ type: "bool" }];
const indexed = (name: string): AbiParameter => ({ indexed: true, name, type: "address" });
const number = (name: string): AbiParameter => ({ name, type: "uint256" });
const USER: AbiParameter = { name: "_user", type: "address" };

/** The token's ABI as getcontract prints it: capitalised kinds, empty lists left out. */
export const USDT_ABI: readonly AbiEntry[] = [
  view("name", "string"),
  view("symbol", "string"),
  view("decimals", "uint8"),
  view("totalSupply", "uint256"),
  view("balanceOf", "uint256", [{ name: "who", type: "address" }]),
  view("allowance", "uint256", [
    { name: "owner", type: "address" },
    { name: "spender", type: "address" },
  ]),
  view("owner", "address"),
  view("paused", "bool"),
  view("deprecated", "bool"),
  view("isBlackListed", "bool", [USER]),
  view("getBlackListStatus", "bool", [USER]),
  view("basisPointsRate", "uint256"),
  view("maximumFee", "uint256"),
  view("calcFee", "uint256", [number("_value")]),
  write("transfer", [{ name: "to", type: "address" }, number("value")], BOOL),
  write("approve", [{ name: "spender", type: "address" }, number("value")], BOOL),
  write(
    "transferFrom",
    [{ name: "from", type: "address" }, { name: "to", type: "address" }, number("value")],
    BOOL,
  ),
  write("addBlackList", [USER]),
  write("removeBlackList", [USER]),
  write("pause"),
  write("unpause"),
  write("setParams", [number("newBasisPoints"), number("newMaxFee")]),
  event("Transfer", [indexed("from"), indexed("to"), number("value")]),
  event("Approval", [indexed("owner"), indexed("spender"), number("value")]),
  event("AddedBlackList", [indexed("_user")]),
  event("RemovedBlackList", [indexed("_user")]),
  event("Pause"),
  event("Unpause"),
  event("Params", [number("feeBasisPoints"), number("maxFee")]),
];
