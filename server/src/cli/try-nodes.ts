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
/** For all requests to one node. */
const WAIT_MS = 30_000;

/** The URLs of a node, and its key. */
export type NodePlace = {
  readonly url: string;
  readonly solidityUrl: string | undefined;
  readonly apiKey: string | undefined;
  /** for each answer */
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

/**
 * Checks the nodes like `daric network check`. Only a node of another network stops a start; the service
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

/** A need that could not be tested yet does not count as missing. */
function sumOf(findings: readonly Finding[]): Pick<Trial, "verdict" | "words"> {
  const unmet = findings.filter(({ verdict }) => verdict === "missing" || verdict === "poor");
  if (unmet.length === 0) return { verdict: "OK", words: "has everything that the service needs" };
  const words = unmet.map(({ need, verdict, detail, advice }) => `${need} ${verdict}: ${detail} (${advice})`);
  return { verdict: "doubtful", words: words.join("; ") };
}
