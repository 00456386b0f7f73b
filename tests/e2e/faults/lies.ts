import { blockIdOf, numberPrefix } from "./block-id.ts";
import type { Json, Lie, NodeReply } from "./lying-node.ts";

const FIFTY_YEARS_MS = 50 * 365 * 24 * 3_600_000;
const TWO_DAYS_MS = 48 * 3_600_000;

const rawOf = (block: Json): Json => block?.block_header?.raw_data;
const isHead = ({ path, question, honest }: NodeReply): boolean =>
  path === "/wallet/getblock" && question?.id_or_num === undefined && rawOf(honest) !== undefined;
const isSolidHead = ({ path, question, honest }: NodeReply): boolean =>
  path === "/walletsolidity/getblock" && question?.id_or_num === undefined && rawOf(honest) !== undefined;
const isBlock = ({ path, question, honest }: NodeReply): boolean =>
  path === "/wallet/getblock" &&
  question?.id_or_num !== undefined &&
  question.detail === true &&
  !!rawOf(honest);
const isPaidBlock = (answer: NodeReply): boolean => isBlock(answer) && answer.honest.transactions?.length > 0;
const isEmptyBlock = (answer: NodeReply): boolean => isBlock(answer) && !answer.honest.transactions?.length;

/** Changes the header and keeps the id. */
const withSameId =
  (isMeant: (answer: NodeReply) => boolean, change: (raw: Json, block: Json) => void): Lie =>
  (answer) => {
    if (!isMeant(answer)) return undefined;
    change(rawOf(answer.honest), answer.honest);
    return answer.honest;
  };

/** Changes the header and gives the block the matching id, like a forger. */
const wellMade = (isMeant: (answer: NodeReply) => boolean, change: (raw: Json) => void): Lie =>
  withSameId(isMeant, (raw, block) => {
    change(raw);
    block.blockID = blockIdOf(raw);
  });

const renumber = (raw: Json, number: number): void => {
  raw.number = number;
  raw.parentHash = numberPrefix(number - 1) + String(raw.parentHash).slice(16);
};

/** False answers of a node, by accident or on purpose, which must do no harm. Their names are their claims. */
export const lies = {
  "the head is block 10^12": withSameId(isHead, (raw, block) => {
    renumber(raw, 1_000_000_000_000);
    block.blockID = numberPrefix(raw.number) + String(block.blockID).slice(16);
  }),
  "the head is block 10^12, with a matching id": wellMade(isHead, (raw) => renumber(raw, 1_000_000_000_000)),
  "the head is 5,000 blocks ahead, with a matching id": wellMade(isHead, (raw) =>
    renumber(raw, raw.number + 5_000),
  ),
  "the head is block 1": wellMade(isHead, (raw) => renumber(raw, 1)),
  "the head is fifty years in the future": wellMade(isHead, (raw) => {
    raw.timestamp += FIFTY_YEARS_MS;
  }),
  "a paid block has transactions without results": withSameId(isPaidBlock, (_raw, block) => {
    for (const transaction of block.transactions) delete transaction.ret;
  }),
  "a paid block has transactions with empty results": withSameId(isPaidBlock, (_raw, block) => {
    for (const transaction of block.transactions) transaction.ret = [{}];
  }),
  "a paid block lacks a transaction": withSameId(isPaidBlock, (_raw, block) => {
    block.transactions.pop();
  }),
  "a paid block reports its transactions as failed": withSameId(isPaidBlock, (_raw, block) => {
    for (const transaction of block.transactions) transaction.ret = [{ contractRet: "REVERT" }];
  }),
  "a paid block has transactions with other bytes": withSameId(isPaidBlock, (_raw, block) => {
    for (const transaction of block.transactions) transaction.raw_data_hex += "a80101";
  }),
  "payments of USDT have no logs": ({ path, honest }) => {
    if (!path.endsWith("/gettransactioninfobyblocknum") || !honest?.length) return undefined;
    for (const info of honest) delete info.log;
    return honest;
  },
  "infos have no result": ({ path, honest }) => {
    if (!path.endsWith("/gettransactioninfobyblocknum") || !honest?.length) return undefined;
    for (const info of honest) delete info.receipt?.result;
    return honest;
  },
  "an empty block is fifty years in the future": withSameId(isEmptyBlock, (raw) => {
    raw.timestamp += FIFTY_YEARS_MS;
  }),
  "an empty block is fifty years in the future, with a matching id": wellMade(isEmptyBlock, (raw) => {
    raw.timestamp += FIFTY_YEARS_MS;
  }),
  "a block is half a minute later": withSameId(isBlock, (raw) => {
    raw.timestamp += 30_000;
  }),
  "a block is as old as its parent": wellMade(isBlock, (raw) => {
    raw.timestamp -= 3_000;
  }),
  "a block is another one, with a matching id": wellMade(isBlock, (raw) => {
    raw.version += 1;
  }),
  "a block has no time": withSameId(isBlock, (raw) => {
    delete raw.timestamp;
  }),
  "a block is missing": (answer) => (isBlock(answer) ? {} : undefined),
  "the solid block is the head": (answer) =>
    isSolidHead(answer)
      ? answer.fetchHonest("/wallet/getblock", { detail: false, visible: false })
      : undefined,
  "the solid block is block 1": (answer) =>
    isSolidHead(answer)
      ? answer.fetchHonest("/wallet/getblock", { id_or_num: "1", detail: false, visible: false })
      : undefined,
  "a solid block is two days later": withSameId(
    ({ path, honest }) => path === "/walletsolidity/getblock" && !!rawOf(honest),
    (raw) => {
      raw.timestamp += TWO_DAYS_MS;
    },
  ),
  "there is no solid block": (answer) => (isSolidHead(answer) ? {} : undefined),
  "every answer is an error": ({ path }) =>
    path.startsWith("/wallet") ? { Error: "class java.lang.NullPointerException" } : undefined,
} satisfies Record<string, Lie>;
