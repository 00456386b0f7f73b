import type { NodeStatus } from "../../api/operator-operations.ts";
import { countText } from "../../format/amount.ts";
import { Section } from "../../ui/page.tsx";
import { Table } from "../../ui/table.tsx";
import { words } from "../../words/words.ts";

/** What each node says of the chain. */
export function Nodes({ nodes }: { readonly nodes: readonly NodeStatus[] }) {
  const text = words.operator;
  const numberOf = (block: NodeStatus["head"]) => (block === null ? text.unknown : countText(block.number));
  if (nodes.length === 0) return null;
  return (
    <Section title={text.nodes}>
      <Table
        label={text.nodes}
        rows={nodes}
        keyOf={({ label }) => label}
        columns={[
          { name: text.node, cell: ({ label }) => label },
          { name: text.head, cell: ({ head }) => numberOf(head), isEnd: true },
          { name: text.solid, cell: ({ solid }) => numberOf(solid), isEnd: true },
          { name: text.failures, cell: ({ failures }) => failures, isEnd: true },
          { name: text.lastFailure, cell: ({ last_failure }) => last_failure?.message ?? words.common.none },
        ]}
      />
    </Section>
  );
}
