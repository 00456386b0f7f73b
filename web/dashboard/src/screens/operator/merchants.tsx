import { useState } from "react";
import type { OperatedMerchant } from "../../api/operator-operations.ts";
import { useChange, useRead } from "../../api/use-call.ts";
import { choiceText, countText } from "../../format/amount.ts";
import { basisPointsText } from "../../format/setting.ts";
import { AmountField } from "../../ui/amount-field.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { ListPage } from "../../ui/list-page.tsx";
import { Empty, LoadedRows, Section } from "../../ui/page.tsx";
import { Badge } from "../../ui/show.tsx";
import { Table } from "../../ui/table.tsx";
import { operatorWords, words } from "../../words/words.ts";
import { MerchantActions } from "./merchant-actions.tsx";

const LIST = "GET /dashboard/v1/operator/merchants";

/** The merchants of the service. */
export function MerchantsPage() {
  const [isCreating, setCreating] = useState(false);
  const list = useRead(LIST, {});
  const text = operatorWords.merchants;
  return (
    <ListPage
      title={text.title}
      hint={text.feeHint}
      exports={{ operatorList: "merchants" }}
      create={{ label: text.create, onOpen: () => setCreating(true) }}
    >
      <LoadedRows from={list} empty={<Empty title={text.empty} hint={text.emptyHint} />}>
        {(rows) => <MerchantTable rows={rows} />}
      </LoadedRows>
      {isCreating && <CreateMerchant onClose={() => setCreating(false)} />}
    </ListPage>
  );
}

function MerchantTable({ rows }: { readonly rows: readonly OperatedMerchant[] }) {
  const text = operatorWords.merchants;
  const terms = words.account.settings.feeTerms;
  return (
    <Section>
      <Table
        label={text.title}
        rows={rows}
        max={500}
        keyOf={({ id }) => id}
        columns={[
          { name: words.common.name, cell: ({ name }) => name },
          {
            name: text.fee,
            cell: ({ fee_basis_points, fee_fixed }) =>
              terms({ percent: basisPointsText(fee_basis_points), fixed: choiceText(fee_fixed) }),
          },
          { name: text.cap, cell: ({ active_address_cap }) => countText(active_address_cap), isEnd: true },
          {
            name: words.common.status,
            cell: ({ suspended_at }) => (
              <Badge tone={suspended_at === null ? "good" : "bad"}>
                {suspended_at === null ? text.active : text.suspended}
              </Badge>
            ),
          },
          {
            name: words.common.actions,
            isEnd: true,
            cell: (merchant) => <MerchantActions merchant={merchant} />,
          },
        ]}
      />
    </Section>
  );
}

function CreateMerchant({ onClose }: { readonly onClose: () => void }) {
  const change = useChange("POST /dashboard/v1/operator/merchants", [LIST]);
  const text = operatorWords.merchants;
  return (
    <Dialog title={text.create} onClose={onClose}>
      <Form
        submit={text.create}
        isBusy={change.isPending}
        error={change.error}
        onCancel={onClose}
        onSubmit={({ name = "", activeAddressCap }) => {
          const body = { name, ...(activeAddressCap && { activeAddressCap }) };
          change.mutate({ body }, { onSuccess: onClose });
        }}
      >
        <TextField label={words.common.name} name="name" maxLength={120} />
        <AmountField
          label={text.cap}
          hint={text.capHint}
          name="activeAddressCap"
          inputMode="numeric"
          isOptional
        />
      </Form>
    </Dialog>
  );
}
