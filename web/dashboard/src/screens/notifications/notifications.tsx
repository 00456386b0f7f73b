import { useState } from "react";
import type { Notifications } from "../../api/account-operations.ts";
import { useChange, useRead } from "../../api/use-call.ts";
import { timeZoneOptions } from "../../format/time-zones.ts";
import { CheckList, SelectField, TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Loaded, Page, Section } from "../../ui/page.tsx";
import { words } from "../../words/words.ts";
import { Channels } from "./channels.tsx";
import { NOTIFICATIONS } from "./notifications-read.ts";
import { type Chosen, ToldTable } from "./told-table.tsx";

/** The messages that a person gets of a merchant, when, and where. */
export function NotificationsPage() {
  const read = useRead(NOTIFICATIONS, {});
  const text = words.notifications;
  return (
    <Page title={text.title} hint={text.hint}>
      <Loaded from={read}>
        {(data) => (
          <>
            {!data.mail_configured && <p className="notice">{text.noMail}</p>}
            <div className="columns">
              <Section title={text.what}>
                <Choices stored={data} />
              </Section>
              <div>
                <Channels read={data} />
              </div>
            </div>
          </>
        )}
      </Loaded>
    </Page>
  );
}

/** The choices as the form holds them. */
type Draft = {
  readonly chosen: Chosen;
  readonly everyPaid: boolean;
  /** empty texts without quiet hours */
  readonly from: string;
  readonly to: string;
  readonly timeZone: string;
};

const NIGHT = { from: "22:00", to: "07:00" };
const browserZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

function draftOf(stored: Notifications): Draft {
  return {
    chosen: Object.fromEntries(stored.kinds.map(({ kind, channels }) => [kind, channels])),
    everyPaid: stored.every_paid,
    from: stored.quiet_from ?? "",
    to: stored.quiet_to ?? "",
    timeZone: stored.is_default ? browserZone() : stored.time_zone,
  };
}

function bodyOf({ chosen, everyPaid, from, to, timeZone }: Draft, { kinds }: Notifications) {
  return {
    kinds: kinds.map(({ kind }) => ({ kind, channels: [...(chosen[kind] ?? [])] })),
    ...{ everyPaid, timeZone },
    quietFrom: from === "" ? null : from,
    quietTo: to === "" ? null : to,
  };
}

function Choices({ stored }: { readonly stored: Notifications }) {
  const [typed, setTyped] = useState<Partial<Draft>>({});
  const change = useChange("PUT /dashboard/v1/notifications", [NOTIFICATIONS]);
  const text = words.notifications;
  const draft = { ...draftOf(stored), ...typed };
  const set = (more: Partial<Draft>) => {
    setTyped({ ...typed, ...more });
    if (change.isSuccess) change.reset();
  };
  const save = () =>
    void change.mutateAsync({ body: bodyOf(draft, stored) }).then(
      () => setTyped({}),
      () => undefined,
    );
  return (
    <Form
      submit={change.isSuccess ? words.common.saved : words.common.save}
      isBusy={change.isPending}
      error={change.error}
      onSubmit={save}
    >
      {stored.is_default && <p className="hint">{text.defaults}</p>}
      <ToldTable
        channels={stored.channels.filter(({ status }) => !status.startsWith("waiting"))}
        chosen={draft.chosen}
        onChoose={(chosen) => set({ chosen })}
      />
      <div>
        <CheckList
          name="everyPaid"
          label={text.paidOrders}
          options={{ on: text.everyPaid }}
          chosen={draft.everyPaid ? ["on"] : []}
          onChoose={(chosen) => set({ everyPaid: chosen.length > 0 })}
        />
        <p className="hint">{text.everyPaidHint}</p>
      </div>
      <QuietHours draft={draft} onSet={set} />
      <SelectField
        label={text.timeZone}
        name="timeZone"
        options={timeZoneOptions(draft.timeZone)}
        value={draft.timeZone}
        onChange={({ target }) => set({ timeZone: target.value })}
      />
    </Form>
  );
}

type QuietProps = { readonly draft: Draft; readonly onSet: (more: Partial<Draft>) => void };

function QuietHours({ draft: { from, to }, onSet }: QuietProps) {
  const text = words.notifications;
  const isOn = from !== "" || to !== "";
  const time = (name: "from" | "to") => ({
    label: text[name],
    name: name === "from" ? "quietFrom" : "quietTo",
    type: "time",
    value: name === "from" ? from : to,
    onChange: ({ target }: { target: { value: string } }) => onSet({ [name]: target.value }),
  });
  return (
    <>
      <div>
        <CheckList
          name="quiet"
          label={text.quiet}
          options={{ on: text.quietOn }}
          chosen={isOn ? ["on"] : []}
          onChoose={(chosen) => onSet(chosen.length > 0 ? NIGHT : { from: "", to: "" })}
        />
        <p className="hint">{text.quietHint}</p>
      </div>
      {isOn && (
        <div className="span">
          <TextField {...time("from")} />
          <TextField {...time("to")} />
        </div>
      )}
    </>
  );
}
