import type { TronNode } from "./chain/nodes/chain-reader.ts";
import type { LastHeader } from "./chain/nodes/last-header.ts";
import type { Chain } from "./deployment/connect-network.ts";
import type { NodeBlock, NodeStatus } from "./status/status.ts";

/** What a node said so lately is not asked again for people who look: a hosted one counts calls. */
const HEAD_KEPT_MS = 30_000;
const SOLID_KEPT_MS = 60_000;
/** Who looks does not wait longer for a node. */
const WITHIN_MS = 1_500;

/** Every node of the chain and what it says; those that have said nothing for long are asked, in bounded time. */
export async function findNodeStatus({ client, tally }: Chain): Promise<readonly NodeStatus[]> {
  await Promise.race([
    Promise.allSettled(client.nodes.flatMap(retry)),
    new Promise((resolve) => setTimeout(resolve, WITHIN_MS).unref()),
  ]);
  return client.nodes.map(({ label, lastReported: header }) => {
    const failure = tally?.of(label);
    return {
      label,
      head: nodeBlockOf(header?.head),
      solid: nodeBlockOf(header?.solid),
      failures: failure?.count ?? 0,
      lastFailure: failure && { message: failure.message, agoSeconds: agoSeconds(failure.atMs) },
    };
  });
}

/** The nodes of a configuration of which none was verified yet, by their hosts. */
export function nodesNotQueried(urls: readonly string[]): readonly NodeStatus[] {
  return urls.map((url) => ({
    label: new URL(url).host,
    head: undefined,
    solid: undefined,
    failures: 0,
    lastFailure: undefined,
  }));
}

function retry(node: TronNode): Promise<unknown>[] {
  const isOld = (header: LastHeader | undefined, keptMs: number) =>
    header === undefined || performance.now() - header.atMs > keptMs;
  return [
    ...(isOld(node.lastReported?.head, HEAD_KEPT_MS) ? [node.getHeadBlock()] : []),
    ...(isOld(node.lastReported?.solid, SOLID_KEPT_MS) ? [node.getSolidBlock()] : []),
  ];
}

function nodeBlockOf(header: LastHeader | undefined): NodeBlock | undefined {
  if (header === undefined) return undefined;
  const ageSeconds = Math.max(0, (Date.now() - header.timeMs) / 1_000);
  return { number: header.number, ageSeconds, agoSeconds: agoSeconds(header.atMs) };
}

function agoSeconds(atMs: number): number {
  return (performance.now() - atMs) / 1_000;
}
