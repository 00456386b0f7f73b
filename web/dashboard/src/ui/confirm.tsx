import { type ReactNode, useState } from "react";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { Form, type Values } from "./form.tsx";

type Change = {
  readonly isPending: boolean;
  readonly error: unknown;
  readonly reset: () => void;
};

type Props = {
  readonly label: string;
  /** what it does, before it is pressed */
  readonly hint: string;
  readonly change: Change;
  readonly onConfirm: (values: Values) => Promise<unknown>;
  readonly kind?: "primary" | "danger" | "plain" | "quiet";
  readonly children?: ReactNode;
};

/** A button that says what it will do, asks for what it needs, and then does it. */
export function ConfirmButton({ label, hint, change, onConfirm, kind = "plain", children }: Props) {
  const [isOpen, setOpen] = useState(false);
  const isDanger = kind === "danger";
  const close = () => {
    setOpen(false);
    change.reset();
  };
  return (
    <>
      <Button
        kind={isDanger ? "quiet" : kind}
        className={isDanger ? "is-danger" : ""}
        onClick={() => setOpen(true)}
      >
        {label}
      </Button>
      {isOpen && (
        <Dialog title={label} onClose={close}>
          <Form
            submit={label}
            kind={isDanger ? "danger" : "primary"}
            isBusy={change.isPending}
            error={change.error}
            onCancel={close}
            onSubmit={(values) => void onConfirm(values).then(close, () => undefined)}
          >
            <p>{hint}</p>
            {children}
          </Form>
        </Dialog>
      )}
    </>
  );
}
