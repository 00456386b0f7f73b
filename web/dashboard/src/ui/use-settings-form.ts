import type { Settings } from "../api/account-operations.ts";
import type { Input } from "../api/operations.ts";
import { useChange, useReread } from "../api/use-call.ts";
import { useMay } from "../session/session-store.ts";
import { words } from "../words/words.ts";
import { useRowForm } from "./use-row-form.ts";

export const SETTINGS = "GET /dashboard/v1/settings";
const CHANGE = "PATCH /dashboard/v1/settings";

type Options<Fields> = {
  readonly textsOf: (settings: Settings) => Fields;
  /** the fields of the request that change these texts */
  readonly bodyOf: (typed: Partial<Fields>) => Omit<Input<typeof CHANGE>["body"], "updatedAt">;
};

/** A form over some of the merchant's settings, with the properties of its `Form`. */
export function useSettingsForm<Fields extends Record<string, string>>(
  settings: Settings,
  { textsOf, bodyOf }: Options<Fields>,
) {
  const change = useChange(CHANGE, [SETTINGS]);
  const reread = useReread(SETTINGS, {});
  const form = useRowForm({ row: settings, textsOf, reread });
  const mayWrite = useMay("settings:write");
  const send = () =>
    form.save((typed, updatedAt) => change.mutateAsync({ body: { ...bodyOf(typed), updatedAt } }));
  const props = {
    submit: change.isSuccess && !form.isEdited ? words.common.saved : words.common.save,
    isBusy: change.isPending,
    isReadOnly: !mayWrite,
    error: change.error,
    onSubmit: () => void send().catch(() => undefined),
  };
  return { form, props };
}
