import type { IssuedLink } from "../api/account-operations.ts";
import { exactTimeText } from "../format/time.ts";
import { language, words } from "../words/words.ts";
import { Secret } from "./copy.tsx";

/** A link to send, shown once; where it was mailed, its person alone has it. */
export function OneTimeLink({ issued: { link, email, expires_at: until } }: { readonly issued: IssuedLink }) {
  const text = words.account.people;
  if (link === null) return <p>{text.mailed({ email })}</p>;
  return (
    <>
      <Secret text={link} label={text.link} />
      <p className="hint">{text.linkHint({ until: exactTimeText(until, language) })}</p>
    </>
  );
}
