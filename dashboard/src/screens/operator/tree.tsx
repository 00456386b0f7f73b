import { words } from "../../words/words.ts";

type Props = { readonly value: unknown };

/** A reported value by the names that it has: facts, lists of facts, or a word. */
export function Tree({ value }: Props) {
  if (value === null || value === undefined || value === "") return <>–</>;
  if (Array.isArray(value)) return <List values={value} />;
  if (typeof value === "object") return <Named value={value} />;
  if (typeof value === "boolean") return <>{value ? words.common.yes : words.common.no}</>;
  return <>{String(value)}</>;
}

function List({ values }: { readonly values: readonly unknown[] }) {
  if (values.length === 0) return <span className="hint">{words.operator.nothing}</span>;
  return (
    <ul className="lines">
      {values.map((each) => (
        <li key={JSON.stringify(each)}>
          <Tree value={each} />
        </li>
      ))}
    </ul>
  );
}

function Named({ value }: { readonly value: object }) {
  return (
    <dl className="facts">
      {Object.entries(value).map(([name, each]) => (
        <div key={name}>
          <dt>{name.replaceAll("_", " ")}</dt>
          <dd>
            <Tree value={each} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
