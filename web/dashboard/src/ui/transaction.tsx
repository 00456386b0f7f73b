import { transactionUrl } from "../format/explorer.ts";
import { useSession } from "../session/session-store.ts";
import { words } from "../words/words.ts";
import { Code } from "./copy.tsx";

/** The place in the browser where the person's block explorer is kept. */
export const EXPLORER = "daric.explorer";

/** A transaction, with a link to the block explorer of the person's choice. */
export function Transaction({ txHash }: { readonly txHash: string }) {
  const network = useSession()?.network ?? "";
  const url = transactionUrl(txHash, network, localStorage.getItem(EXPLORER));
  return (
    <span className="transaction">
      <Code text={txHash} isShort />
      {url && (
        <a href={url} target="_blank" rel="noreferrer">
          {words.payments.transaction} ↗
        </a>
      )}
    </span>
  );
}
