import type { PaymentLink } from "@daric/sdk/contract";
import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { messageText } from "../../format/payment-link.ts";
import { Code, CopyButton } from "../../ui/copy.tsx";
import { Section } from "../../ui/page.tsx";
import { QrCode, qrPngUrl, qrSvgUrl } from "../../ui/qr-code.tsx";
import { words } from "../../words/words.ts";

type Props = { readonly link: PaymentLink };

/** The address of the page: to copy, to send with a message, to scan and to print. */
export function ShareLink({ link }: Props) {
  const text = words.paymentLinks;
  const { id, url } = link;
  if (url === null) return <p className="notice">{text.noUrl}</p>;
  const message = messageText(link, url);
  return (
    <Section title={text.share}>
      <div className="ready">
        <QrCode content={url} label={text.scan} />
        <div className="form">
          <Code text={url} />
          <div className="buttons">
            <CopyButton text={url} kind="button" label={text.copyLink} />
            <Downloads url={url} />
            <Link className="button plain" to="/payment-links/$id/poster" params={{ id }}>
              {text.poster}
            </Link>
          </div>
          <div>
            <p className="label">{text.message}</p>
            <pre className="snippet is-text" dir="auto">
              {message}
            </pre>
          </div>
          <div className="buttons">
            <CopyButton text={message} kind="button" label={words.work.ask.copyMessage} />
          </div>
        </div>
      </div>
    </Section>
  );
}

function Downloads({ url }: { readonly url: string }) {
  const files = useMemo(() => ({ svg: qrSvgUrl(url), png: qrPngUrl(url) }), [url]);
  const name = `qr-${url.slice(-8)}`;
  return (["svg", "png"] as const).map((kind) => (
    <a key={kind} className="button plain" href={files[kind]} download={`${name}.${kind}`}>
      {words.paymentLinks[kind]}
    </a>
  ));
}
