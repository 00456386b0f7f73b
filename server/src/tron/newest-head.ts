import type { ChainReader } from "./chain-reader.ts";
import { NodeError } from "./node-error.ts";
import type { BlockHeader } from "./parse-block.ts";

/** Ten missed slots in a row: by then another node is worth a question. */
const STALLED_AFTER_MS = 30_000;
/** A node this far below the newest head has stopped following the chain; a busy gateway is a few blocks behind. */
const MAX_BEHIND_BLOCKS = 20;

type HeadSource = Pick<ChainReader, "getHeadBlock"> & { readonly label: string };

/** The newest head that any node has shown, so that one that stands still is not mistaken for a chain that does. */
export type NewestHead = {
  /** The node's head; a NodeError when it lies too far below the newest one, so that another node is asked. */
  of(node: HeadSource): Promise<BlockHeader>;
  /** When no new head has come for a while, asks every node for its own, once. */
  compareWhenStalled(nodes: readonly HeadSource[]): Promise<void>;
};

/** Knows no head yet. With a single node nothing is compared: there is none to prefer. */
export function createNewestHead(now: () => number): NewestHead {
  let newest = 0;
  let grewAt = now();

  function see(number: number): void {
    if (number <= newest) return;
    newest = number;
    grewAt = now();
  }

  return {
    of: async (node) => {
      const head = await node.getHeadBlock();
      see(head.number);
      if (head.number >= newest - MAX_BEHIND_BLOCKS) return head;
      const message = `stands at block ${head.number} while another node is at ${newest}`;
      throw new NodeError(message, { fault: "behind", node: node.label });
    },
    compareWhenStalled: async (nodes) => {
      if (nodes.length < 2 || now() - grewAt < STALLED_AFTER_MS) return;
      grewAt = now();
      const heads = await Promise.allSettled(nodes.map((node) => node.getHeadBlock()));
      for (const head of heads) if (head.status === "fulfilled") see(head.value.number);
    },
  };
}
