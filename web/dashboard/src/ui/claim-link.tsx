import { timeWithZoneText } from "../format/time.ts";
import { refundWords } from "../words/refund-words.ts";
import { language } from "../words/words.ts";
import { Code, CopyButton } from "./copy.tsx";

type Props = { readonly url: string; readonly until: string | null };

/** The link by which the customer names an address, until a time; null once it takes none. Then it shows the refund. */
export function ClaimLink({ url, until }: Props) {
  return (
    <div className="form">
      {until !== null && (
        <p className="hint">{refundWords.linkHint({ until: timeWithZoneText(until, language) })}</p>
      )}
      <Code text={url} />
      <div className="buttons">
        <CopyButton text={url} kind="button" label={refundWords.copyLink} />
      </div>
    </div>
  );
}
