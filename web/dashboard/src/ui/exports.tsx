import { lazy, Suspense, useState } from "react";
import { pageContext, urlOf } from "../api/call.ts";
import { useMay } from "../session/session-store.ts";
import { words } from "../words/words.ts";
import { Button } from "./button.tsx";
import type { DownloadFile } from "./download-file.ts";

type OwnList =
  | "payments"
  | "deposits"
  | "refunds"
  | "deliveries"
  | "settlements"
  | "events"
  | "endpoints"
  | "keys"
  | "wallets"
  | "people"
  | "invitations"
  | "audit";
/** `filter` chooses rows of the merchant, as the page does. */
type Props =
  | { readonly list: OwnList; readonly filter?: Record<string, string | undefined> }
  | { readonly operatorList: "merchants" | "people" | "endpoints" };

/** The downloads of a whole list, of the merchant or of the service. The browser streams them to a file. */
export function Exports(props: Props) {
  const mayExport = useMay("exports:read");
  if ("list" in props && !mayExport) return null;
  return <Downloads files={[{ url: (query) => urlOfList(props, query), formats: ["xlsx", "json"] }]} />;
}

function urlOfList(props: Props, query: Record<string, string | undefined>): string {
  return "list" in props
    ? urlOf(
        "/dashboard/v1/exports/{list}",
        { list: props.list },
        { ...query, merchantId: pageContext.merchantId, ...props.filter },
      )
    : urlOf("/dashboard/v1/operator/exports/{list}", { list: props.operatorList }, query);
}

// Few people choose a format, so their dialog and its texts are loaded then.
const DownloadDialog = lazy(async () => ({
  default: (await import("./download-dialog.tsx")).DownloadDialog,
}));

/** The first file as CSV by one click, and the menu of all files and formats. */
export function Downloads({ files }: { readonly files: readonly [DownloadFile, ...DownloadFile[]] }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <a className="button quiet" href={files[0].url({ format: "csv" })} download>
        {words.common.exportCsv}
      </a>
      <Button kind="quiet" onClick={() => setOpen(true)}>
        {words.common.exportMore}
      </Button>
      {isOpen && (
        <Suspense>
          <DownloadDialog files={files} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
