import { useChange } from "../../api/use-call.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { OneTimeLink } from "../../ui/one-time-link.tsx";
import { operatorWords, words } from "../../words/words.ts";
import { LINKS } from "./service-links.tsx";

type Props = { readonly merchantId?: string; readonly onClose: () => void };

/** Invites the owner of a merchant, or another operator. The link is shown once. */
export function InviteByOperator({ merchantId, onClose }: Props) {
  const change = useChange("POST /dashboard/v1/operator/invitations", [LINKS]);
  const text = words.account.people;
  const title = merchantId === undefined ? operatorWords.people.invite : operatorWords.merchants.inviteOwner;
  const place = merchantId === undefined ? {} : { merchantId, role: "owner" as const };
  return (
    <Dialog title={title} onClose={onClose}>
      {change.data ? (
        <OneTimeLink issued={change.data} />
      ) : (
        <Form
          submit={text.invite}
          isBusy={change.isPending}
          error={change.error}
          onCancel={onClose}
          onSubmit={({ email = "" }) => change.mutate({ body: { email, ...place } })}
        >
          <TextField label={words.common.email} name="email" type="email" />
        </Form>
      )}
    </Dialog>
  );
}
