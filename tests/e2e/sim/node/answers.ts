import type { SimBlock } from "../chain/block.ts";
import { wordOf } from "../chain/bytes.ts";
import type { SimChain } from "../chain/chain.ts";
import { usdtHex } from "../chain/payments.ts";

/** The blocks that a node has read, and its solid height. */
export type NodeView = {
  readonly chain: SimChain;
  readonly blocks: readonly SimBlock[];
  readonly solidNumber: number;
};

// biome-ignore lint/suspicious/noExplicitAny: questions are JSON of many shapes.
type Question = any;

const NOT_THERE = "{}";

/**
 * The honest answer of a node with this view, as text. `/walletsolidity` returns only final data (java-tron's
 * HTTP API).
 */
export function answerOf(view: NodeView, path: string, question: Question): string {
  const [, family, endpoint] = path.split("/");
  const top = family === "walletsolidity" ? view.solidNumber : view.blocks.length - 1;
  switch (endpoint) {
    case "getblock":
      return blockAnswer(view.blocks.slice(0, top + 1), question);
    case "getnowblock":
      return view.blocks[top]?.text ?? NOT_THERE;
    case "getblockbynum":
      return view.blocks.slice(0, top + 1)[question.num ?? 0]?.text ?? NOT_THERE;
    case "gettransactioninfobyblocknum":
      return view.blocks.slice(0, top + 1)[question.num]?.infosText ?? "[]";
    case "getaccount":
      return JSON.stringify(account(view, question.address, top));
    case "triggerconstantcontract":
      return JSON.stringify(constantCall(view, question, top));
    default:
      return JSON.stringify({ Error: `class java.lang.IllegalArgumentException : no ${path}` });
  }
}

function blockAnswer(blocks: readonly SimBlock[], { id_or_num: which, detail }: Question): string {
  const found =
    which === undefined
      ? blocks.at(-1)
      : which.length === 64
        ? blocks.find(({ id }) => id === which)
        : blocks[Number(which)];
  if (found === undefined) return NOT_THERE;
  return detail === true ? found.text : found.headerText;
}

/** `{}` is an account that was never activated. */
function account({ chain }: NodeView, address: string, top: number): object {
  const balance = chain.balance(address, "TRX", top);
  return balance <= 0n ? {} : { address, balance: Number(balance) };
}

function constantCall({ chain }: NodeView, question: Question, top: number): object {
  const { contract_address, function_selector, parameter = "" } = question;
  if (contract_address !== usdtHex) {
    const message = Buffer.from("Smart contract is not exist.").toString("hex");
    return { result: { code: "CONTRACT_VALIDATE_ERROR", message } };
  }
  const owner = `41${String(parameter).slice(24)}`;
  const value = function_selector === "decimals()" ? 6n : chain.balance(owner, "USDT", top);
  return {
    result: { result: true },
    energy_used: 500,
    constant_result: [wordOf(value < 0n ? 0n : value)],
    transaction: { ret: [{}] },
  };
}
