import { words } from "../words/words.ts";
import { Button } from "./button.tsx";
import { Secret } from "./copy.tsx";
import { Dialog } from "./dialog.tsx";

type Props = {
  readonly title: string;
  readonly hint?: string;
  /** texts by their labels */
  readonly secrets: Readonly<Record<string, string>>;
  readonly onClose: () => void;
};

/** Secrets that the service shows only once, each with its button to copy. */
export function ShownOnce({ title, hint, secrets, onClose }: Props) {
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="form">
        {hint && <p>{hint}</p>}
        {Object.entries(secrets).map(([label, text]) => (
          <Secret key={label} label={label} text={text} />
        ))}
        <div className="buttons">
          <Button kind="primary" onClick={onClose}>
            {words.common.close}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
