import type { TronNode } from "./chain/nodes/chain-reader.ts";
import type { LastHeader } from "./chain/nodes/last-header.ts";
import type { Chain } from "./deployment/connect-network.ts";
import type { NodeStatus, SaidBlock } from "./status/status.ts";

/** What a node said so lately is not asked again for people who look: a hosted one counts calls. */
const HEAD_KEPT_MS = 30_000;
const SOLID_KEPT_MS = 60_000;
/** Who looks does not wait longer for a node. */
const WITHIN_MS = 1_500;

/** Every node of the chain and what it says; those that have said nothing for long are asked, in bounded time. */
export async function findNodeStatus({ client, tally }: Chain): Promise<readonly NodeStatus[]> {
  await Promise.race([
    Promise.allSettled(client.nodes.flatMap(askAgain)),
    new Promise((resolve) => setTimeout(resolve, WITHIN_MS).unref()),
  ]);
  return client.nodes.map(({ label, lastReported: said }) => {
    const failure = tally?.of(label);
    return {
      label,
      head: saidBlock(said?.head),
      solid: saidBlock(said?.solid),
      failures: failure?.count ?? 0,
      lastFailure: failure && { words: failure.words, agoSeconds: agoSeconds(failure.atMs) },
    };
  });
}

/** The nodes of a configuration of which none was verified yet, by their hosts. */
export function nodesUnasked(urls: readonly string[]): readonly NodeStatus[] {
  return urls.map((url) => ({
    label: new URL(url).host,
    head: undefined,
    solid: undefined,
    failures: 0,
    lastFailure: undefined,
  }));
}

function askAgain(node: TronNode): Promise<unknown>[] {
  const isOld = (said: LastHeader | undefined, keptMs: number) =>
    said === undefined || performance.now() - said.atMs > keptMs;
  return [
    ...(isOld(node.lastReported?.head, HEAD_KEPT_MS) ? [node.getHeadBlock()] : []),
    ...(isOld(node.lastReported?.solid, SOLID_KEPT_MS) ? [node.getSolidBlock()] : []),
  ];
}

function saidBlock(said: LastHeader | undefined): SaidBlock | undefined {
  if (said === undefined) return undefined;
  const ageSeconds = Math.max(0, (Date.now() - said.timeMs) / 1_000);
  return { number: said.number, ageSeconds, agoSeconds: agoSeconds(said.atMs) };
}

function agoSeconds(atMs: number): number {
  return (performance.now() - atMs) / 1_000;
}
