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

function write(name: string, inputs: readonly AbiParameter[]): AbiEntry {
  return { type: "Function", name, stateMutability: "Nonpayable", inputs, outputs: [{ type: "bool" }] };
}

function event(name: string, from: string, to: string): AbiEntry {
  return {
    type: "Event",
    name,
    inputs: [
      { indexed: true, name: from, type: "address" },
      { indexed: true, name: to, type: "address" },
      { name: "value", type: "uint256" },
    ],
  };
}

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
  write("transfer", [
    { name: "to", type: "address" },
    { name: "value", type: "uint256" },
  ]),
  write("approve", [
    { name: "spender", type: "address" },
    { name: "value", type: "uint256" },
  ]),
  write("transferFrom", [
    { name: "from", type: "address" },
    { name: "to", type: "address" },
    { name: "value", type: "uint256" },
  ]),
  event("Transfer", "from", "to"),
  event("Approval", "owner", "spender"),
];
