import { ties, urlOf } from "../api/call.ts";
import { ownTimeZone } from "../format/time.ts";
import { words } from "../words/words.ts";

type Props = {
  readonly list:
    | "payments"
    | "deposits"
    | "deliveries"
    | "settlements"
    | "keys"
    | "wallets"
    | "people"
    | "audit";
};

/** Links that download a whole list. The browser streams them to a file. */
export function Exports({ list }: Props) {
  const timeZone = ownTimeZone();
  const url = (format: string) =>
    urlOf("/dashboard/v1/exports/{list}", { list }, { format, timeZone, merchantId: ties.merchantId });
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
