import { checkNode } from "../chain/nodes/check-node.ts";
import { openHttpJson } from "../chain/nodes/http-json.ts";
import { findNetwork, type Network } from "../chain/nodes/networks.ts";
import type { Finding } from "../chain/nodes/node-needs.ts";
import { createNodeProbe, type NodeProbe } from "../chain/nodes/node-probe.ts";
import { variableOf } from "../process/config.ts";
import { systemClock } from "../runtime/clock.ts";
import { type Trial, untried, within } from "./config-findings.ts";
import { failureLines } from "./failure.ts";
import type { ReadValues } from "./validate-settings.ts";

const MAX_BODY_BYTES = 32 * 1024 * 1024;
const ANSWER_MS = 4_000;
/** For all that one node is asked. */
const WAIT_MS = 30_000;

/** Where a node serves what, and the key that it wants. */
export type NodePlace = {
  readonly url: string;
  readonly solidityUrl: string | undefined;
  readonly apiKey: string | undefined;
  /** for each answer */
  readonly timeoutMs: number;
};

/** Runs `work` with a node that can be asked for what the service needs, and closes the connections to it. */
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

/**
 * Whether the nodes have what the service needs, as `daric network check` asks. Only one of another network stops a start;
 * for every other one that is away or lacks something it waits.
 */
export async function tryNodes({ chain }: ReadValues): Promise<Trial[]> {
  const { nodeUrls, solidityUrls, apiKey } = chain;
  // What is missing or wrong is undefined, whatever its type says.
  if (!nodeUrls || !solidityUrls || !chain.network)
    return [untried("nodes", `${variableOf("chain.nodeUrls")} or what it goes with cannot be used`)];
  let network: Network;
  try {
    network = await findNetwork(chain);
  } catch (error) {
    return [{ trial: "nodes", verdict: "doubtful", words: failureLines(error).join("; ") }];
  }
  return Promise.all(
    nodeUrls.map((url, index) =>
      tryNode({ url, solidityUrl: solidityUrls[index], apiKey, timeoutMs: ANSWER_MS }, network),
    ),
  );
}

async function tryNode(place: NodePlace, network: Network): Promise<Trial> {
  const trial = `node ${new URL(place.url).host}`;
  try {
    return await within(
      WAIT_MS,
      withProbe(place, network, async (probe) => {
        const genesisId = await probe.node.getGenesisId();
        if (genesisId !== network.genesisId)
          return {
            trial,
            verdict: "fault",
            words: `is not of ${network.name}: its block 0 is ${genesisId}`,
          };
        return { trial, ...sumOf(await checkNode(probe)) };
      }),
    );
  } catch (error) {
    return { trial, verdict: "doubtful", words: failureLines(error).join("; ") };
  }
}

/** A need of which nothing could be seen yet is none that is unmet. */
function sumOf(findings: readonly Finding[]): Pick<Trial, "verdict" | "words"> {
  const unmet = findings.filter(({ verdict }) => verdict === "missing" || verdict === "poor");
  if (unmet.length === 0) return { verdict: "OK", words: "has what the service needs of it" };
  const words = unmet.map(({ need, verdict, detail, advice }) => `${need} ${verdict}: ${detail} (${advice})`);
  return { verdict: "doubtful", words: words.join("; ") };
}
