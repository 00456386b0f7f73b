import { type ErrorComponentProps, useRouter } from "@tanstack/react-router";
import { isRefusal } from "../api/refusal.ts";
import { Button } from "../ui/button.tsx";
import { Problem } from "../ui/form.tsx";
import { words } from "../words/words.ts";

/** Stands in place of a page that cannot be drawn: the service is away, or the page has a fault. */
export function Failure({ error }: ErrorComponentProps) {
  const router = useRouter();
  return (
    <div className="failure">
      <Problem error={isRefusal(error) ? error : new Error(words.common.problem)} />
      <Button onClick={() => void router.invalidate()}>{words.common.retry}</Button>
    </div>
  );
}
