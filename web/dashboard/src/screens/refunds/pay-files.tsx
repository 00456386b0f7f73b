import { useEffect, useState } from "react";
import type { Answer } from "../../api/operations.ts";
import { useChange } from "../../api/use-call.ts";
import { countText } from "../../format/amount.ts";
import { ConfirmButton } from "../../ui/confirm.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { refundWords } from "../../words/refund-words.ts";

const COINS = ["USDT", "TRX"] as const;
const NAME = "POST /dashboard/v1/refunds/pay-file";
type PayFile = Answer<typeof NAME>;

/** The files of all refunds that are ready, of one coin each, since the amounts of a file name no coin. */
export function PayFiles() {
  const change = useChange(NAME);
  const [made, setMade] = useState<{ readonly coin: string; readonly file: PayFile }>();
  const open = async (currency: (typeof COINS)[number]) => {
    const file = await change.mutateAsync({ body: { currency } });
    setMade({ coin: currency, file });
  };
  return (
    <>
      {COINS.map((coin) => (
        <ConfirmButton
          key={coin}
          kind="quiet"
          label={refundWords.file({ coin })}
          hint={refundWords.fileHint({ coin })}
          change={change}
          onConfirm={() => open(coin)}
        />
      ))}
      {made && (
        <Dialog title={refundWords.file({ coin: made.coin })} onClose={() => setMade(undefined)}>
          <ReadyFile {...made} />
        </Dialog>
      )}
    </>
  );
}

function ReadyFile({ coin, file }: { readonly coin: string; readonly file: PayFile }) {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([file.csv], { type: "text/csv" }));
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  if (file.count === 0) return <p>{refundWords.fileEmpty({ coin })}</p>;
  return (
    <div className="form">
      <p>{refundWords.fileReady({ count: countText(file.count) })}</p>
      {file.opened_before > 0 && (
        <p className="notice">{refundWords.fileOpened({ count: countText(file.opened_before) })}</p>
      )}
      <p className="hint">{refundWords.fromWallet}</p>
      <div className="buttons">
        <a className="button primary" href={url} download={file.name}>
          {refundWords.download}
        </a>
      </div>
    </div>
  );
}
