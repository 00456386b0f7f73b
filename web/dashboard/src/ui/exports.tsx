import { pageContext, urlOf } from "../api/call.ts";
import { useMay } from "../session/session-store.ts";
import { words } from "../words/words.ts";

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
/** `from` and `to` choose rows of the merchant by when they were made. */
type Props =
  | { readonly list: OwnList; readonly from?: string; readonly to?: string }
  | { readonly operatorList: "merchants" | "people" | "endpoints" };

/** Links that download a whole list, of the merchant or of the service. The browser streams them to a file. */
export function Exports(props: Props) {
  const mayExport = useMay("exports:read");
  if ("list" in props && !mayExport) return null;
  const url = (format: string) =>
    "list" in props
      ? urlOf(
          "/dashboard/v1/exports/{list}",
          { list: props.list },
          { format, merchantId: pageContext.merchantId, from: props.from, to: props.to },
        )
      : urlOf("/dashboard/v1/operator/exports/{list}", { list: props.operatorList }, { format });
  return (
    <>
      <a className="button quiet" href={url("csv")} download>
        {words.common.exportCsv}
      </a>
      <a className="button quiet" href={url("json")} download>
        {words.common.exportJson}
      </a>
    </>
  );
}
