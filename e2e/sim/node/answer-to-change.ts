import type { Json, Lie, NodeAnswer } from "../../faults/lying-node.ts";
import { usdtHex } from "../chain/payments.ts";

/** A lie, by what it claims. */
export type SimLie = { readonly name: string; readonly lie: Lie };

export const rawOf = (block: Json): Json => block?.block_header?.raw_data;
export const isInfos = ({ path, truth }: NodeAnswer): boolean =>
  path === "/wallet/gettransactioninfobyblocknum" && truth?.length > 0;
export const isBlock = ({ path, question, truth }: NodeAnswer): boolean =>
  path === "/wallet/getblock" && question?.id_or_num !== undefined && rawOf(truth) !== undefined;
export const hasTransactions = (answer: NodeAnswer): boolean =>
  isBlock(answer) && answer.truth.transactions?.length > 0;
export const isSolid = ({ path, truth }: NodeAnswer): boolean =>
  path === "/walletsolidity/getblock" && rawOf(truth) !== undefined;
export const isHead = ({ path, question, truth }: NodeAnswer): boolean =>
  path === "/wallet/getblock" && question?.id_or_num === undefined && rawOf(truth) !== undefined;

export const instead =
  (isMeant: (answer: NodeAnswer) => boolean, say: (answer: NodeAnswer) => Json): Lie =>
  (answer) =>
    isMeant(answer) ? say(answer) : undefined;
export const changing = (isMeant: (answer: NodeAnswer) => boolean, change: (truth: Json) => void): Lie =>
  instead(isMeant, ({ truth }) => {
    change(truth);
    return truth;
  });

/** Of infos: a call of the token itself, which the root covers, and of any other contract, whose logs it does not. */
export const isDirect = (info: Json): boolean => info.contract_address === usdtHex;
export const isRouted = (info: Json): boolean =>
  info.contract_address !== undefined && info.contract_address !== usdtHex;
