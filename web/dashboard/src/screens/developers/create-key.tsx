import { useState } from "react";
import type { ApiKey } from "../../api/account-operations.ts";
import { useChange } from "../../api/use-call.ts";
import { useMembership } from "../../session/session-store.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { CheckList, SelectField, TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { words } from "../../words/words.ts";

type Props = { readonly onClose: () => void; readonly onSecret: (secret: string) => void };

/** Rights to promise money: a key has them only where its maker chose them. */
const NAMED_SCOPES = ["refunds:write", "refunds:address"];

/** Makes a key with at most the rights of the person. */
export function CreateKey({ onClose, onSecret }: Props) {
  const text = words.developers.keys;
  const own = useMembership()?.scopes ?? [];
  const offered = Object.entries(text.scopeNames).filter(([scope]) => own.includes(scope));
  const [scopes, setScopes] = useState(
    offered.map(([scope]) => scope).filter((scope) => !NAMED_SCOPES.includes(scope)),
  );
  const change = useChange("POST /dashboard/v1/keys", ["GET /dashboard/v1/keys"]);
  return (
    <Dialog title={text.create} onClose={onClose}>
      <Form
        submit={text.create}
        isBusy={change.isPending}
        error={change.error}
        onCancel={onClose}
        onSubmit={({ name, expiresIn }) => {
          const body = {
            scopes: scopes as ApiKey["scopes"],
            ...(name && { name }),
            ...(expiresIn && { expiresIn }),
          };
          change.mutate(
            { body },
            {
              onSuccess({ key }) {
                onClose();
                onSecret(key);
              },
            },
          );
        }}
      >
        <TextField label={words.common.name} name="name" maxLength={120} isOptional />
        <CheckList
          name="scopes"
          label={text.scopes}
          hint={text.scopesHint}
          options={Object.fromEntries(offered)}
          chosen={scopes}
          onChoose={setScopes}
        />
        <SelectField label={text.expires} name="expiresIn" options={text.expiry} />
      </Form>
    </Dialog>
  );
}
