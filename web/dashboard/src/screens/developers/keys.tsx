import { useState } from "react";
import type { ApiKey } from "../../api/account-operations.ts";
import { useChange, useRead } from "../../api/use-call.ts";
import { useMay } from "../../session/session-store.ts";
import { ConfirmButton } from "../../ui/confirm.tsx";
import { ListPage } from "../../ui/list-page.tsx";
import { Empty, LoadedRows, Section } from "../../ui/page.tsx";
import { Badge, When } from "../../ui/show.tsx";
import { ShownOnce } from "../../ui/shown-once.tsx";
import { Table } from "../../ui/table.tsx";
import { words } from "../../words/words.ts";
import { ConnectShop } from "./connect-shop.tsx";
import { CreateKey } from "./create-key.tsx";

const LIST = "GET /dashboard/v1/keys";

/** The keys of a merchant. A new one is shown once, with a command that tries it. */
export function KeysPage() {
  const [isCreating, setCreating] = useState(false);
  const [secret, setSecret] = useState<string>();
  const list = useRead(LIST, {});
  const mayWrite = useMay("keys:write");
  const text = words.developers.keys;
  return (
    <ListPage
      title={text.title}
      hint={text.hint}
      exports={{ list: "keys" }}
      create={mayWrite && { label: text.create, onOpen: () => setCreating(true) }}
    >
      <div className="cards">
        <ConnectShop />
        <LoadedRows from={list} empty={<Empty title={text.empty} hint={text.emptyHint} />}>
          {(rows) => <KeyTable rows={rows} mayWrite={mayWrite} onSecret={setSecret} />}
        </LoadedRows>
      </div>
      {isCreating && <CreateKey onClose={() => setCreating(false)} onSecret={setSecret} />}
      {secret && <NewKey secret={secret} onClose={() => setSecret(undefined)} />}
    </ListPage>
  );
}

type TableProps = {
  readonly rows: readonly ApiKey[];
  readonly mayWrite: boolean;
  readonly onSecret: (secret: string) => void;
};

function KeyTable({ rows, mayWrite, onSecret }: TableProps) {
  const text = words.developers.keys;
  return (
    <Section>
      <Table
        label={text.title}
        rows={rows}
        max={1_000}
        keyOf={({ id }) => id}
        columns={[
          { name: words.common.name, cell: ({ name }) => name ?? "–" },
          { name: text.key, cell: ({ prefix }) => <code>{prefix}…</code> },
          { name: text.scopes, cell: ({ scopes }) => scopes.map(nameOfScope).join(", ") },
          { name: text.lastUsed, cell: ({ last_used_at }) => <When at={last_used_at} /> },
          { name: words.common.status, cell: (key) => <KeyState apiKey={key} /> },
          {
            name: words.common.actions,
            isEnd: true,
            cell: (key) =>
              mayWrite && key.revoked_at === null && <KeyActions apiKey={key} onSecret={onSecret} />,
          },
        ]}
      />
    </Section>
  );
}

function nameOfScope(scope: string): string {
  return words.developers.keys.scopeNames[scope] ?? scope;
}

function KeyState({ apiKey }: { readonly apiKey: ApiKey }) {
  const text = words.developers.keys;
  const { revoked_at, expires_at } = apiKey;
  const hasEnded =
    revoked_at !== null || (expires_at !== null && new Date(expires_at).getTime() < Date.now());
  if (hasEnded) return <Badge tone="quiet">{text.revoked}</Badge>;
  return (
    <>
      <Badge tone="good">{text.active}</Badge>
      {expires_at !== null && (
        <p className="hint">
          {text.expires} <When at={expires_at} />
        </p>
      )}
    </>
  );
}

type KeyProps = { readonly apiKey: ApiKey; readonly onSecret: (secret: string) => void };

function KeyActions({ apiKey: { id }, onSecret }: KeyProps) {
  const rotate = useChange("POST /dashboard/v1/keys/{id}/rotate", [LIST]);
  const revoke = useChange("POST /dashboard/v1/keys/{id}/revoke", [LIST]);
  const text = words.developers.keys;
  return (
    <div className="buttons">
      <ConfirmButton
        label={text.rotate}
        hint={text.rotateHint}
        change={rotate}
        onConfirm={async () => {
          const { key } = await rotate.mutateAsync({ path: { id }, body: { overlap: "24h" } });
          onSecret(key);
        }}
      />
      <ConfirmButton
        kind="danger"
        label={text.revoke}
        hint={text.revokeHint}
        change={revoke}
        onConfirm={() => revoke.mutateAsync({ path: { id } })}
      />
    </div>
  );
}

function NewKey({ secret, onClose }: { readonly secret: string; readonly onClose: () => void }) {
  const text = words.developers.keys;
  const command = `curl ${location.origin}/v1/deposit-addresses \\
  -H 'X-Api-Key: ${secret}' \\
  -H 'content-type: application/json' \\
  -d '{"amount":"25.50","orderRef":"A-1042"}'`;
  return (
    <ShownOnce
      title={text.newKey}
      secrets={{ [text.key]: secret, [text.tryIt]: command }}
      onClose={onClose}
    />
  );
}
