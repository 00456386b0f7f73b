import { NodeError } from "../blocks/node-error.ts";
import type { BlockHeader } from "../blocks/parse-block.ts";
import { type JsonObject, readList, readObject } from "../blocks/read-json.ts";
import type { HttpJson } from "./http-json.ts";
import type { Network } from "./networks.ts";
import { HttpTronNode } from "./node.ts";

const RECENT_BLOCKS = 20;

export type RecentBlocks = {
  readonly blocks: number;
  readonly contractCalls: number;
  readonly internalTransactions: number;
  /** the first block, and those with internal transactions */
  readonly first: number;
  readonly internalsIn: readonly number[];
};

/** A node under check. Answers that several needs share are fetched once. */
export type NodeProbe = {
  readonly node: HttpTronNode;
  readonly network: Network;
  /** its head, and our clock at its arrival, in ms since 1970 */
  readonly head: () => Promise<BlockHeader & { readonly seenMs: number }>;
  readonly recent: () => Promise<RecentBlocks>;
  readonly fetchAnswer: (path: string, params: object) => Promise<JsonObject>;
  /** the duration of each answered call, in ms */
  readonly callMs: readonly number[];
};

export type ProbedNode = {
  readonly http: HttpJson;
  readonly solidityHttp: HttpJson;
  readonly network: Network;
  readonly now: () => number;
};

export function createNodeProbe({ http, solidityHttp, network, now }: ProbedNode): NodeProbe {
  const callMs: number[] = [];
  const timed = timedHost(http, callMs);
  const timedSolidity = solidityHttp === http ? timed : timedHost(solidityHttp, callMs);
  const node = new HttpTronNode({ http: timed, solidityHttp: timedSolidity, genesisId: undefined });
  const fetchAnswer = async (path: string, params: object): Promise<JsonObject> => {
    const host = path.startsWith("/walletsolidity/") ? timedSolidity : timed;
    return readObject(await host.post(path, { ...params, visible: false }), "answer");
  };
  const head = once(async () => ({ ...(await node.getHeadBlock()), seenMs: now() }));
  return {
    node,
    network,
    head,
    recent: once(async () => readRecent(node, timed, (await head()).number)),
    fetchAnswer,
    callMs,
  };
}

/** Times answered calls. After an unanswered first call, all later ones fail at once with the same error. */
function timedHost(host: HttpJson, callMs: number[]): HttpJson {
  let hasAnswered = false;
  let silence: NodeError | undefined;
  return {
    ...host,
    post: async (path, body) => {
      if (silence !== undefined) throw silence;
      const startMs = performance.now();
      try {
        const answer = await host.post(path, body);
        hasAnswered = true;
        callMs.push(performance.now() - startMs);
        return answer;
      } catch (error) {
        const isSilent = error instanceof NodeError && error.fault !== "node_error";
        if (isSilent && !hasAnswered) silence = error;
        hasAnswered ||= !isSilent;
        throw error;
      }
    },
  };
}

function once<T>(fetchAnswer: () => Promise<T>): () => Promise<T> {
  let pending: Promise<T> | undefined;
  return () => {
    pending ??= fetchAnswer();
    return pending;
  };
}

/** Reads the newest blocks with their infos. @throws NodeError for an incomplete one. */
async function readRecent(node: HttpTronNode, http: HttpJson, head: number): Promise<RecentBlocks> {
  const first = Math.max(1, head - RECENT_BLOCKS);
  const internalsIn: number[] = [];
  const seen = { first, internalsIn, blocks: 0, contractCalls: 0, internalTransactions: 0 };
  for (let number = first; number < head; number += 1) {
    const { infos } = await node.fetchCompleteBlock(number);
    seen.blocks += 1;
    const calls = infos.filter(({ receiptResult }) => receiptResult === "SUCCESS").length;
    seen.contractCalls += calls;
    const internals = calls > 0 ? await countInternal(http, number) : 0;
    seen.internalTransactions += internals;
    if (internals > 0) internalsIn.push(number);
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
