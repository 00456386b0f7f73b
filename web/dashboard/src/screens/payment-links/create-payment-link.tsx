import type { PaymentLink } from "@daric/sdk/contract";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useChange, useRead } from "../../api/use-call.ts";
import { newLinkBody } from "../../format/payment-link-body.ts";
import { useMay } from "../../session/session-store.ts";
import { Form, type Values } from "../../ui/form.tsx";
import { Empty, Loaded, Page, Section } from "../../ui/page.tsx";
import { SETTINGS } from "../../ui/use-settings-form.ts";
import { words } from "../../words/words.ts";
import { LinkFields } from "./link-fields.tsx";
import { LinkPreview } from "./link-preview.tsx";

/** Makes a payment link, beside its page as it will be. */
export function CreatePaymentLinkPage() {
  const mayCreate = useMay("charges:write");
  const settings = useRead(SETTINGS, {});
  const text = words.paymentLinks;
  if (!mayCreate) return <Empty title={words.common.noRight} />;
  return (
    <Page title={text.create} hint={text.hint}>
      <Loaded from={settings}>
        {({ fee_fixed, mail_configured }) => (
          <NewLink coins={Object.keys(fee_fixed)} isMailConfigured={mail_configured} />
        )}
      </Loaded>
    </Page>
  );
}

/** `coins` are those of the service, the usual one first. */
function NewLink({
  coins,
  isMailConfigured,
}: {
  readonly coins: readonly string[];
  readonly isMailConfigured: boolean;
}) {
  const [typed, setTyped] = useState<Values>({});
  const [ask, setAsk] = useState<PaymentLink["ask"]>([]);
  const change = useChange("POST /v1/payment-links", ["GET /v1/payment-links"]);
  const navigate = useNavigate();
  const open = ({ id }: PaymentLink) => void navigate({ to: "/payment-links/$id", params: { id } });
  return (
    <div className="columns">
      <Section>
        <Form
          submit={words.paymentLinks.create}
          isBusy={change.isPending}
          error={change.error}
          onTyped={setTyped}
          onSubmit={(values) => change.mutate({ body: newLinkBody(values, ask) }, { onSuccess: open })}
        >
          <LinkFields
            coins={coins}
            typed={typed}
            ask={ask}
            isMailConfigured={isMailConfigured}
            onAsk={setAsk}
          />
        </Form>
      </Section>
      <div className="stays">
        <Section title={words.work.ask.preview}>
          <LinkPreview typed={{ price: coins[0] ?? "", priceBy: "fixed", ...typed }} ask={ask} />
        </Section>
      </div>
    </div>
  );
}
