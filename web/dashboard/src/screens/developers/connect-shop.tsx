import { useState } from "react";
import type { ShopCode } from "../../api/account-operations.ts";
import { useChange, useRead } from "../../api/use-call.ts";
import { useMay } from "../../session/session-store.ts";
import { Button } from "../../ui/button.tsx";
import { Code, CopyButton } from "../../ui/copy.tsx";
import { Countdown } from "../../ui/countdown.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Problem } from "../../ui/form.tsx";
import { Section } from "../../ui/page.tsx";
import { loadShopWords, shopWords } from "../../words/shop-words.ts";
import { words } from "../../words/words.ts";

await loadShopWords();

/** Offers a code to connect a shop by, to people who have the rights that the shop's key gets. */
export function ConnectShop() {
  const [isOpen, setOpen] = useState(false);
  const mayConnect = [useMay("keys:write"), useMay("webhooks:write"), useMay("refunds:write")].every(Boolean);
  if (!mayConnect) return null;
  return (
    <Section title={shopWords.title}>
      <p className="hint">{shopWords.hint}</p>
      <div className="buttons">
        <Button onClick={() => setOpen(true)}>{shopWords.title}</Button>
      </div>
      {isOpen && <CodeDialog onClose={() => setOpen(false)} />}
    </Section>
  );
}

/** Makes codes, one after the other, and says when a shop has used one. */
function CodeDialog({ onClose }: { readonly onClose: () => void }) {
  const make = useChange("POST /dashboard/v1/shop-codes", []);
  const [isOver, setOver] = useState(false);
  const makeOne = () => make.mutate({}, { onSuccess: () => setOver(false) });
  return (
    <Dialog title={shopWords.title} onClose={onClose}>
      <div className="form" aria-live="polite">
        {make.data === undefined && <p>{shopWords.rights}</p>}
        {make.data !== undefined && isOver && <p className="fault">{shopWords.over}</p>}
        {make.data !== undefined && !isOver && <Steps made={make.data} onOver={() => setOver(true)} />}
        <Problem error={make.error} />
        <div className="buttons">
          {(make.data === undefined || isOver) && (
            <Button kind="primary" isBusy={make.isPending} onClick={makeOne}>
              {shopWords.make}
            </Button>
          )}
          <Button onClick={onClose}>{words.common.close}</Button>
        </div>
      </div>
    </Dialog>
  );
}

type StepsProps = { readonly made: ShopCode; readonly onOver: () => void };

function Steps({ made, onOver }: StepsProps) {
  const shop = useConnectedShop(made);
  const { code, expires_at, service_url } = made;
  if (shop !== undefined) return <p>{shopWords.connected({ shop })}</p>;
  return (
    <>
      <ol className="steps">
        <li>{shopWords.open}</li>
        <li>
          <p>{shopWords.address}</p>
          <Code text={service_url ?? location.origin} />
        </li>
        <li>
          <p>{shopWords.code}</p>
          <p className="address-groups" style={{ fontSize: "1.75rem" }} dir="ltr">
            {code.split(/(?<=-)/).map((group) => (
              <span key={group}>{group}</span>
            ))}
          </p>
          <CopyButton text={code} kind="button" label={shopWords.copyCode} />
        </li>
      </ol>
      <p>
        {shopWords.left} <Countdown until={expires_at} onOver={onOver} />
      </p>
      <p className="hint">{shopWords.waiting}</p>
    </>
  );
}

const LOOK_MS = 3_000;
const LIFE_MS = 600_000;

/** The address of the shop that connected since this code was made: its key is named after it. */
function useConnectedShop({ expires_at }: ShopCode): string | undefined {
  const { data = [] } = useRead("GET /dashboard/v1/keys", {}, { everyMs: LOOK_MS });
  const madeAt = Date.parse(expires_at) - LIFE_MS;
  const key = data.find(
    ({ name, created_at }) => Date.parse(created_at) >= madeAt && /^https?:\/\//.test(name ?? ""),
  );
  return key?.name ?? undefined;
}
