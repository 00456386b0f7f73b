import type { ComponentProps, ReactNode } from "react";
import { Button } from "./button.tsx";
import { Exports } from "./exports.tsx";
import { Page } from "./page.tsx";

type ListPageProps = Omit<ComponentProps<typeof Page>, "actions"> & {
  readonly exports: ComponentProps<typeof Exports>;
  /** the button that makes a row; false where the role may not */
  readonly create?: { readonly label: string; readonly onOpen: () => void } | false;
  readonly children: ReactNode;
};

/** A page with one list: its downloads, and the button that makes a row. */
export function ListPage({ exports, create = false, ...page }: ListPageProps) {
  const actions = (
    <>
      <Exports {...exports} />
      {create && (
        <Button kind="primary" onClick={create.onOpen}>
          {create.label}
        </Button>
      )}
    </>
  );
  return <Page {...page} actions={actions} />;
}
