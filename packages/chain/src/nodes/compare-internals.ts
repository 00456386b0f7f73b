import { type Finding, INTERNALS_ADVICE, INTERNALS_NEED } from "./node-needs.ts";
import type { RecentBlocks } from "./node-probe.ts";

/** A node with its findings; `recent` is undefined if its blocks could not be read. */
type CheckedNode = {
  readonly node: string;
  readonly findings: readonly Finding[];
  readonly recent: RecentBlocks | undefined;
};

/** Finds internal transactions missing at a node that shows none of a block of which another node shows some. */
export function compareInternals(nodes: readonly CheckedNode[]): (Finding & { readonly node: string })[] {
  return nodes.flatMap(({ node, findings, recent }) => {
    const isRead = (number: number) =>
      recent !== undefined && number >= recent.first && number < recent.first + recent.blocks;
    const shown = recent?.internalTransactions
      ? []
      : nodes.flatMap((peer) =>
          (peer.recent?.internalsIn.filter(isRead) ?? []).map((number) => ({ other: peer, number })),
        );
    const [missed] = shown;
    return findings.map((finding) => {
      if (missed === undefined || finding.need !== INTERNALS_NEED) return { node, ...finding };
      const detail = `none in block ${missed.number}, of which ${missed.other.node} shows some`;
      return { node, ...finding, verdict: "missing" as const, detail, advice: INTERNALS_ADVICE };
    });
  });
}
