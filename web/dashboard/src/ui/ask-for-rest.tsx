import type { CreatedDepositAddress } from "@daric/sdk/contract";
import { useChange } from "../api/use-call.ts";
import { words } from "../words/words.ts";
import { Button } from "./button.tsx";
import { Problem } from "./form.tsx";

type Props = { readonly id: string; readonly onAsked: (rest: CreatedDepositAddress) => void };

/** Makes the order of what is missing; asked again, the service answers the open one. */
export function AskForRest({ id, onAsked }: Props) {
  const change = useChange("POST /v1/deposit-addresses/{id}/rest");
  /** The button may be gone by the answer: in the inbox the short order is no task any more. */
  const ask = () => void change.mutateAsync({ path: { id } }).then(onAsked, () => undefined);
  return (
    <>
      <Button isBusy={change.isPending} onClick={ask}>
        {words.payments.askForRest}
      </Button>
      <Problem error={change.error} />
    </>
  );
}
