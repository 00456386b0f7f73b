import { checkNode } from "@daric/chain/nodes/check-node";
import { openHttpJson } from "@daric/chain/nodes/http-json";
import { findNetwork, type Network } from "@daric/chain/nodes/networks";
import { type Finding, MAX_AGE_MS, MAX_AHEAD_MS } from "@daric/chain/nodes/node-needs";
import { createNodeProbe, type NodeProbe } from "@daric/chain/nodes/node-probe";
import { systemClock } from "@daric/runtime/clock";
import { variableOf } from "../process/config.ts";
import { type Trial, untried, withTimeLimit } from "./config-findings.ts";
import { failureLines } from "./failure.ts";
import type { ReadValues } from "./validate-settings.ts";

const MAX_BODY_BYTES = 32 * 1024 * 1024;
const ANSWER_MS = 4_000;
/** The limit for all requests to one node. */
const WAIT_MS = 30_000;

/** The URLs of a node, and its key. */
export type NodePlace = {
  readonly url: string;
  readonly solidityUrl: string | undefined;
  readonly apiKey: string | undefined;
  /** the limit for each answer */
  readonly timeoutMs: number;
};

/** Runs `work` with a node's probe, and closes the connections to it. */
export async function withProbe<T>(
  { url, solidityUrl, apiKey, timeoutMs }: NodePlace,
  network: Network,
  work: (probe: NodeProbe, label: string) => Promise<T>,
): Promise<T> {
  const limits = { apiKey, timeoutMs, maxBodyBytes: MAX_BODY_BYTES };
  const http = openHttpJson({ url, ...limits });
  const solidityHttp = solidityUrl === undefined ? http : openHttpJson({ url: solidityUrl, ...limits });
  try {
    const now = () => systemClock.now().getTime();
    return await work(createNodeProbe({ http, solidityHttp, network, now }), http.label);
  } finally {
    await Promise.all([http.close(), solidityHttp.close()]);
  }
}

/** The finding about a node, and how much older its newest block is than this machine's time; negative if it is ahead. */
type TriedNode = { readonly found: Trial; readonly ageMs?: number };

/**
 * Checks the nodes like `daric network check`. Only a node of another network and a wrong clock stop a start; the service
 * waits for any other node to recover.
 */
export async function tryNodes({ chain }: ReadValues): Promise<Trial[]> {
  const { nodeUrls, solidityUrls, apiKey } = chain;
  // Missing and invalid values are undefined, whatever the type.
  if (!nodeUrls || !solidityUrls || !chain.network)
    return [untried("nodes", `${variableOf("chain.nodeUrls")} or what it goes with cannot be used`)];
  let network: Network;
  try {
    network = await findNetwork(chain);
  } catch (error) {
    return [{ trial: "nodes", verdict: "doubtful", words: failureLines(error).join("; ") }];
  }
  const tried = await Promise.all(
    nodeUrls.map((url, index) =>
      tryNode({ url, solidityUrl: solidityUrls[index], apiKey, timeoutMs: ANSWER_MS }, network),
    ),
  );
  // A devnet's blocks are mined on command, with any time.
  const ages = network.name === "devnet" ? [] : tried.flatMap(({ ageMs }) => ageMs ?? []);
  return [...tried.map(({ found }) => found), ...tryClock(ages)];
}

/**
 * Compares this machine's clock with the newest blocks of the nodes. A witness dates no block ahead of time, so one newer
 * block is enough; old ones may be the nodes' fault, unless all of them are.
 */
export function tryClock(agesMs: readonly number[]): Trial[] {
  const trial = "clock of this machine";
  const [min, max] = [Math.min(...agesMs), Math.max(...agesMs)];
  const seconds = (ms: number): string => `${Math.round(Math.abs(ms) / 1_000)} s`;
  if (agesMs.length === 0) return [];
  if (min < -MAX_AHEAD_MS)
    return [
      { trial, verdict: "fault", words: `is ${seconds(min)} behind a node's newest block: set it by NTP` },
    ];
  if (min > MAX_AGE_MS)
    return [
      {
        trial,
        verdict: "fault",
        words: `is ${seconds(min)} ahead of every node's newest block: set it by NTP; if it is right, wait until a node has caught up`,
      },
    ];
  return [{ trial, verdict: "OK", words: `newest blocks are at most ${seconds(max)} old` }];
}

async function tryNode(place: NodePlace, network: Network): Promise<TriedNode> {
  const trial = `node ${new URL(place.url).host}`;
  try {
    return await withTimeLimit(
      WAIT_MS,
      withProbe(place, network, async (probe) => {
        const genesisId = await probe.node.getGenesisId();
        if (genesisId !== network.genesisId) {
          const words = `is not of ${network.name}: its block 0 is ${genesisId}`;
          return { found: { trial, verdict: "fault", words } };
        }
        const found = { trial, ...sumOf(await checkNode(probe)) };
        const head = await probe.head().catch(() => undefined);
        return { found, ...(head && { ageMs: head.seenMs - head.timeMs }) };
      }),
    );
  } catch (error) {
    return { found: { trial, verdict: "doubtful", words: failureLines(error).join("; ") } };
  }
}

/** A need that could not be tested yet does not count as missing. */
function sumOf(findings: readonly Finding[]): Pick<Trial, "verdict" | "words"> {
  const unmet = findings.filter(({ verdict }) => verdict === "missing" || verdict === "poor");
  if (unmet.length === 0) return { verdict: "OK", words: "has everything that the service needs" };
  const words = unmet.map(({ need, verdict, detail, advice }) => `${need} ${verdict}: ${detail} (${advice})`);
  return { verdict: "doubtful", words: words.join("; ") };
}
