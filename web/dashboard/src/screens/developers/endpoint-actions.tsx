import type { WebhookEndpoint } from "@daric/sdk/contract";
import { useState } from "react";
import { useChange } from "../../api/use-call.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmButton } from "../../ui/confirm.tsx";
import { Problem } from "../../ui/form.tsx";
import { words } from "../../words/words.ts";
import { EndpointEditForm } from "./endpoint-form.tsx";

const LIST = "GET /v1/webhooks/endpoints";
const DELIVERIES = "GET /v1/webhooks/deliveries";
const OVERLAP_SECONDS = 86_400;

type Props = { readonly endpoint: WebhookEndpoint; readonly onSecret: (secret: string) => void };

/** The actions on an endpoint. A test shows the exact answer of the merchant's server. */
export function EndpointActions({ endpoint, onSecret }: Props) {
  const { id, is_active: isActive } = endpoint;
  const test = useChange("POST /v1/webhooks/endpoints/{id}/test", [DELIVERIES]);
  const rotate = useChange("POST /v1/webhooks/endpoints/{id}/rotate-secret", [LIST]);
  const text = words.developers.webhooks;
  const [isEditing, setEditing] = useState(false);
  const sendTest = () => test.mutate({ path: { id } });
  return (
    <>
      <div className="buttons">
        <Button isBusy={test.isPending} onClick={sendTest}>
          {text.test}
        </Button>
        <Button onClick={() => setEditing(true)}>{text.edit}</Button>
        <Pause id={id} isActive={isActive} />
        <ConfirmButton
          label={text.rotate}
          hint={text.rotateHint}
          change={rotate}
          onConfirm={async () => {
            const input = { path: { id }, body: { overlapSeconds: OVERLAP_SECONDS } };
            onSecret((await rotate.mutateAsync(input)).secret);
          }}
        />
        <Remove id={id} />
      </div>
      <p role="status">{test.data && testText(test.data)}</p>
      <Problem error={test.error} />
      {isEditing && <EndpointEditForm endpoint={endpoint} onClose={() => setEditing(false)} />}
    </>
  );
}

function testText({
  ok,
  statusCode,
  durationMs,
  error,
}: {
  ok: boolean;
  statusCode?: number;
  durationMs: number;
  error?: string;
}) {
  const text = words.developers.webhooks;
  return ok
    ? text.testOk({ code: statusCode ?? 0, ms: durationMs })
    : text.testFailed({ why: words.developers.deliveries.errors[error ?? ""] ?? error ?? "" });
}

function Pause({ id, isActive }: { readonly id: string; readonly isActive: boolean }) {
  const change = useChange("PATCH /v1/webhooks/endpoints/{id}", [LIST]);
  const text = words.developers.webhooks;
  const set = (to: boolean) => change.mutateAsync({ path: { id }, body: { isActive: to } });
  if (!isActive)
    return (
      <Button isBusy={change.isPending} onClick={() => void set(true)}>
        {text.resume}
      </Button>
    );
  return (
    <ConfirmButton label={text.pause} hint={text.pauseHint} change={change} onConfirm={() => set(false)} />
  );
}

function Remove({ id }: { readonly id: string }) {
  const change = useChange("DELETE /v1/webhooks/endpoints/{id}", [LIST]);
  const text = words.developers.webhooks;
  return (
    <ConfirmButton
      kind="danger"
      label={text.remove}
      hint={text.removeHint}
      change={change}
      onConfirm={() => change.mutateAsync({ path: { id } })}
    />
  );
}
