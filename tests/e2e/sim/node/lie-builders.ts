import type { Json, Lie, NodeReply } from "../../faults/lying-node.ts";
import { usdtHex } from "../chain/payments.ts";

/** A lie and its name, which is its claim. */
export type SimLie = { readonly name: string; readonly lie: Lie };

export const rawOf = (block: Json): Json => block?.block_header?.raw_data;
export const isInfos = ({ path, honest }: NodeReply): boolean =>
  path === "/wallet/gettransactioninfobyblocknum" && honest?.length > 0;
export const isBlock = ({ path, question, honest }: NodeReply): boolean =>
  path === "/wallet/getblock" && question?.id_or_num !== undefined && rawOf(honest) !== undefined;
export const hasTransactions = (answer: NodeReply): boolean =>
  isBlock(answer) && answer.honest.transactions?.length > 0;
export const isSolid = ({ path, honest }: NodeReply): boolean =>
  path === "/walletsolidity/getblock" && rawOf(honest) !== undefined;
export const isHead = ({ path, question, honest }: NodeReply): boolean =>
  path === "/wallet/getblock" && question?.id_or_num === undefined && rawOf(honest) !== undefined;

export const instead =
  (isMeant: (answer: NodeReply) => boolean, logLine: (answer: NodeReply) => Json): Lie =>
  (answer) =>
    isMeant(answer) ? logLine(answer) : undefined;
export const changing = (isMeant: (answer: NodeReply) => boolean, change: (honest: Json) => void): Lie =>
  instead(isMeant, ({ honest }) => {
    change(honest);
    return honest;
  });

/**
 * Selects infos of direct calls of the token, which the Merkle root proves. It does not prove logs of other
 * contracts.
 */
export const isDirect = (info: Json): boolean => info.contract_address === usdtHex;
export const isRouted = (info: Json): boolean =>
  info.contract_address !== undefined && info.contract_address !== usdtHex;
