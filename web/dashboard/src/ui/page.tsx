import type { UseQueryResult } from "@tanstack/react-query";
import { type ReactNode, useEffect } from "react";
import { isRefusal } from "../api/refusal.ts";
import { words } from "../words/words.ts";
import { Button } from "./button.tsx";
import { Problem } from "./form.tsx";

type PageProps = {
  readonly title: string;
  readonly hint?: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
};

/** A page with its heading and its main actions. It names the tab of the browser. */
export function Page({ title, hint, actions, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · ${words.common.product}`;
  }, [title]);
  return (
    <>
      <header className="page-head">
        <div>
          <h1>{title}</h1>
          {hint && <p className="hint">{hint}</p>}
        </div>
        {actions && <div className="buttons">{actions}</div>}
      </header>
      {children}
    </>
  );
}

type SectionProps = { readonly title?: string; readonly actions?: ReactNode; readonly children: ReactNode };

/** A part of a page with a heading of its own. */
export function Section({ title, actions, children }: SectionProps) {
  return (
    <section className="card">
      {(title || actions) && (
        <header className="card-head">
          {title && <h2>{title}</h2>}
          {actions && <div className="buttons">{actions}</div>}
        </header>
      )}
      {children}
    </section>
  );
}

/** The text of a list without rows: its purpose, and how rows get there. */
export function Empty({
  title,
  hint,
  children,
}: {
  readonly title: string;
  readonly hint?: string;
  readonly children?: ReactNode;
}) {
  return (
    <div className="empty">
      <p className="empty-title">{title}</p>
      {hint && <p className="hint">{hint}</p>}
      {children}
    </div>
  );
}

type RowsProps<Row> = {
  readonly from: LoadedProps<Row[]>["from"];
  /** what a list without rows says */
  readonly empty: ReactNode;
  readonly children: (rows: Row[]) => ReactNode;
};

/** Shows the rows of a list once they are there. */
export function LoadedRows<Row>({ from, empty, children }: RowsProps<Row>) {
  return <Loaded from={from}>{(rows) => (rows.length === 0 ? empty : children(rows))}</Loaded>;
}

type LoadedProps<Data> = {
  readonly from: Pick<UseQueryResult<Data>, "data" | "error" | "refetch">;
  readonly children: (data: Data) => ReactNode;
};

/** Shows an answer once it is there. An old answer stays in view while a new one cannot be read. */
export function Loaded<Data>({ from: { data, error, refetch }, children }: LoadedProps<Data>) {
  if (data !== undefined) return children(data);
  if (isRefusal(error, "NOT_FOUND"))
    return <Empty title={words.common.notFound} hint={words.common.notFoundHint} />;
  if (isRefusal(error, "INSUFFICIENT_SCOPE")) return <Empty title={words.common.noRight} />;
  if (error)
    return (
      <div className="not-read">
        <Problem error={error} />
        <Button onClick={() => void refetch()}>{words.common.retry}</Button>
      </div>
    );
  return (
    <div className="loading" role="status">
      <span className="visually-hidden">{words.common.loading}</span>
    </div>
  );
}
