import { useState } from "react";
import type { Settings } from "../../api/account-operations.ts";
import { useChange } from "../../api/use-call.ts";
import { useMay } from "../../session/session-store.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { Problem } from "../../ui/form.tsx";
import { Section } from "../../ui/page.tsx";
import { words } from "../../words/words.ts";

/** The longest argument list that every browser takes. */
const CHUNK = 8_192;
const MAX_BYTES = 100_000;

/** The merchant's logo: shown, replaced, removed. */
export function Logo({ settings }: { readonly settings: Settings }) {
  const change = useChange("PUT /dashboard/v1/settings/logo", ["GET /dashboard/v1/settings"]);
  const [error, setError] = useState<Error>();
  const mayWrite = useMay("settings:write");
  const text = words.account.branding;
  const { updated_at: updatedAt } = settings;
  const upload = async (file: File | undefined) => {
    setError(undefined);
    if (file === undefined) return;
    if (file.size > MAX_BYTES) return setError(new Error(text.logoHint));
    change.mutate({ body: { updatedAt, content: base64Of(new Uint8Array(await file.arrayBuffer())) } });
  };
  return (
    <Section title={text.logo}>
      {settings.logo_url && <img src={settings.logo_url} alt={text.logo} height="56" />}
      {mayWrite && (
        <div className="form">
          <TextField
            label={text.upload}
            hint={text.logoHint}
            type="file"
            accept="image/png,image/jpeg,image/webp"
            onChange={(event) => void upload(event.target.files?.[0])}
          />
          {settings.logo_url && (
            <Button
              kind="quiet"
              isBusy={change.isPending}
              onClick={() => change.mutate({ body: { updatedAt } })}
            >
              {text.removeLogo}
            </Button>
          )}
        </div>
      )}
      <Problem error={error ?? change.error} />
    </Section>
  );
}

function base64Of(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += CHUNK)
    parts.push(String.fromCharCode(...bytes.subarray(at, at + CHUNK)));
  return btoa(parts.join(""));
}
