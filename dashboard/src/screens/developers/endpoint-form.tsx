import { webhookEventNames } from "@daric/sdk/contract";
import { useState } from "react";
import { faultOf } from "../../api/refusal.ts";
import { useChange } from "../../api/use-call.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { CheckList, TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { words } from "../../words/words.ts";

/** A test goes to every endpoint that is asked to get one. */
const EVENTS = webhookEventNames.filter((name) => name !== "webhook.test");

type Props = { readonly onClose: () => void; readonly onSecret: (secret: string) => void };

/** Adds an endpoint; its secret is shown once. */
export function EndpointForm({ onClose, onSecret }: Props) {
  const [eventTypes, setEventTypes] = useState(["deposit.confirmed", "order.paid"]);
  const change = useChange("POST /v1/webhooks/endpoints", ["GET /v1/webhooks/endpoints"]);
  const text = words.developers.webhooks;
  return (
    <Dialog title={text.add} onClose={onClose}>
      <Form
        submit={text.add}
        isBusy={change.isPending}
        error={change.error}
        onCancel={onClose}
        onSubmit={({ url = "", description }) =>
          change.mutate(
            { body: { url, description, eventTypes } },
            {
              onSuccess({ secret }) {
                onClose();
                onSecret(secret);
              },
            },
          )
        }
      >
        <TextField
          label={text.url}
          hint={text.urlHint}
          name="url"
          type="url"
          maxLength={2048}
          fault={faultOf(change.error, "url")}
        />
        <TextField label={text.description} name="description" maxLength={255} isOptional />
        <CheckList
          label={text.events}
          options={Object.fromEntries(EVENTS.map((event) => [event, event]))}
          chosen={eventTypes}
          onChoose={setEventTypes}
        />
      </Form>
    </Dialog>
  );
}
