import { type WebhookEndpoint, webhookEventNames } from "@daric/sdk/contract";
import { useState } from "react";
import { call } from "../../api/call.ts";
import { isRefusal } from "../../api/refusal.ts";
import { useChange } from "../../api/use-call.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { CheckList, TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { words } from "../../words/words.ts";

/** The events to choose from. A test event needs no subscription. */
const EVENTS = webhookEventNames.filter((name) => name !== "webhook.test");

const LIST = "GET /v1/webhooks/endpoints";

type AddProps = { readonly onClose: () => void; readonly onSecret: (secret: string) => void };

/** Adds an endpoint; its secret is shown once. */
export function EndpointForm({ onClose, onSecret }: AddProps) {
  const change = useChange("POST /v1/webhooks/endpoints", [LIST]);
  const add = async (body: EndpointFields) => {
    const { secret } = await change.mutateAsync({ body });
    onClose();
    onSecret(secret);
  };
  return <Fields title={words.developers.webhooks.add} change={change} onClose={onClose} onSave={add} />;
}

type EditProps = { readonly endpoint: WebhookEndpoint; readonly onClose: () => void };

/** Changes an endpoint. If another person changed it meanwhile, what was typed stays. */
export function EndpointEditForm({ endpoint, onClose }: EditProps) {
  const change = useChange("PATCH /v1/webhooks/endpoints/{id}", [LIST]);
  // The row that the person compares with: a newer one is shown beside what was typed, and is overwritten only knowingly.
  const [shown, setShown] = useState(endpoint);
  const save = async (body: EndpointFields) => {
    try {
      await change.mutateAsync({ path: { id: endpoint.id }, body, shownAt: shown.updated_at });
      onClose();
    } catch (error) {
      if (isRefusal(error, "CHANGED_MEANWHILE"))
        setShown(await call("GET /v1/webhooks/endpoints/{id}", { path: { id: endpoint.id } }));
    }
  };
  return (
    <Fields
      title={words.developers.webhooks.edit}
      change={change}
      onClose={onClose}
      onSave={save}
      before={endpoint}
      now={shown === endpoint ? undefined : shown}
    />
  );
}

type EndpointFields = { url: string; description: string | null; eventTypes: string[] };
type FieldsProps = {
  readonly title: string;
  readonly change: { readonly isPending: boolean; readonly error: unknown };
  readonly onClose: () => void;
  readonly onSave: (fields: EndpointFields) => Promise<void>;
  readonly before?: WebhookEndpoint;
  /** the stored endpoint, if it has changed since the form was opened */
  readonly now?: WebhookEndpoint | undefined;
};

function Fields({ title, change, onClose, onSave, before, now }: FieldsProps) {
  const [eventTypes, setEventTypes] = useState<string[]>(
    before?.event_types ?? ["deposit.confirmed", "order.paid"],
  );
  const text = words.developers.webhooks;
  return (
    <Dialog title={title} onClose={onClose}>
      <Form
        submit={title}
        isBusy={change.isPending}
        error={change.error}
        onCancel={onClose}
        onSubmit={({ url = "", description = "" }) =>
          void onSave({ url, description: description === "" ? null : description, eventTypes }).catch(
            () => {},
          )
        }
      >
        {now && <p className="hint">{[now.url, now.description, now.event_types.join(", ")].join(" · ")}</p>}
        <TextField
          label={text.url}
          hint={text.urlHint}
          name="url"
          type="url"
          maxLength={2048}
          defaultValue={before?.url}
        />
        <TextField
          label={text.description}
          name="description"
          maxLength={255}
          defaultValue={before?.description ?? ""}
          isOptional
        />
        <CheckList
          name="eventTypes"
          label={text.events}
          options={Object.fromEntries(EVENTS.map((event) => [event, event]))}
          chosen={eventTypes}
          onChoose={setEventTypes}
        />
      </Form>
    </Dialog>
  );
}
