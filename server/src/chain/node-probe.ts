import type { HttpJson } from "./http-json.ts";
import type { Network } from "./networks.ts";
import { HttpTronNode } from "./node.ts";
import { NodeError } from "./node-error.ts";
import type { BlockHeader } from "./parse-block.ts";
import { type JsonObject, readList, readObject } from "./read-json.ts";

/** Of the newest blocks, to see what the node keeps of contracts. */
const RECENT_BLOCKS = 20;

/** What the newest blocks of a node show. */
export type RecentBlocks = {
  readonly blocks: number;
  /** transactions that ran in the virtual machine and did not fail */
  readonly contractCalls: number;
  /** what their infos say that contracts did inside */
  readonly internalTransactions: number;
};

/** One node that is asked what it can do. Answers that several needs are judged by are asked for once. */
export type NodeProbe = {
  readonly node: HttpTronNode;
  readonly network: Network;
  /** its head, and our clock when it came, in ms since 1970 */
  readonly head: () => Promise<BlockHeader & { readonly seenMs: number }>;
  readonly recent: () => Promise<RecentBlocks>;
  /** An answer of `/wallet` or `/walletsolidity`, asked in the form that Daric asks in. */
  readonly ask: (path: string, question: object) => Promise<JsonObject>;
  /** How long each call so far took, in ms. */
  readonly callMs: readonly number[];
};

/** Where a node serves what, and of which network it should be. */
export type ProbedNode = {
  readonly http: HttpJson;
  readonly solidityHttp: HttpJson;
  readonly network: Network;
  /** our clock, in ms since 1970 */
  readonly now: () => number;
};

/** Asks nothing yet. */
export function createNodeProbe({ http, solidityHttp, network, now }: ProbedNode): NodeProbe {
  const callMs: number[] = [];
  const [timed, timedSolidity] = [http, solidityHttp].map((host) => timedHost(host, callMs)) as [
    HttpJson,
    HttpJson,
  ];
  const node = new HttpTronNode({ http: timed, solidityHttp: timedSolidity, genesisId: undefined });
  const ask = async (path: string, question: object): Promise<JsonObject> => {
    const host = path.startsWith("/walletsolidity/") ? timedSolidity : timed;
    return readObject(await host.post(path, { ...question, visible: false }), "answer");
  };
  const head = once(async () => ({ ...(await node.getHeadBlock()), seenMs: now() }));
  return {
    node,
    network,
    head,
    recent: once(async () => readRecent(node, timed, (await head()).number)),
    ask,
    callMs,
  };
}

function timedHost(host: HttpJson, callMs: number[]): HttpJson {
  return {
    ...host,
    post: async (path, body) => {
      const startMs = performance.now();
      try {
        return await host.post(path, body);
      } finally {
        callMs.push(performance.now() - startMs);
      }
    },
  };
}

function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let asking: Promise<T> | undefined;
  return () => {
    asking ??= ask();
    return asking;
  };
}

/**
 * The newest blocks with their infos, each proven to be complete.
 *
 * @throws NodeError for one that is not.
 */
async function readRecent(node: HttpTronNode, http: HttpJson, head: number): Promise<RecentBlocks> {
  const first = Math.max(1, head - RECENT_BLOCKS);
  const seen = { blocks: 0, contractCalls: 0, internalTransactions: 0 };
  for (let number = first; number < head; number += 1) {
    const { infos } = await node.fetchCompleteBlock(number);
    seen.blocks += 1;
    const calls = infos.filter(({ receiptResult }) => receiptResult === "SUCCESS").length;
    seen.contractCalls += calls;
    if (calls > 0) seen.internalTransactions += await countInternal(http, number);
  }
  return seen;
}

async function countInternal(http: HttpJson, number: number): Promise<number> {
  const answer = await http.post("/wallet/gettransactioninfobyblocknum", { num: number, visible: false });
  if (!Array.isArray(answer)) {
    throw new NodeError("answered no list of infos", { fault: "unexpected_answer", node: http.label });
  }
  const internals = answer.map(
    (info) => readList(readObject(info, "info").internal_transactions, "internal_transactions").length,
  );
  return internals.reduce((sum, count) => sum + count, 0);
}
