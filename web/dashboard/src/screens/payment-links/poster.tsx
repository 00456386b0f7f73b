import type { PaymentLink } from "@daric/sdk/contract";
import { Link, useParams } from "@tanstack/react-router";
import { useRead } from "../../api/use-call.ts";
import { findPrice } from "../../format/payment-link.ts";
import { Button } from "../../ui/button.tsx";
import { Loaded, Page } from "../../ui/page.tsx";
import { QrCode } from "../../ui/qr-code.tsx";
import { ShopName } from "../../ui/shop-name.tsx";
import { words } from "../../words/words.ts";

/** A page of A4 to print: what is sold, for how much, and the code to scan. */
export function PosterPage() {
  const { id } = useParams({ from: "/inside/payment-links/$id/poster" });
  const link = useRead("GET /v1/payment-links/{id}", { path: { id } });
  const text = words.paymentLinks;
  const actions = (
    <>
      <Link className="button quiet" to="/payment-links/$id" params={{ id }}>
        {text.one}
      </Link>
      <Button kind="primary" onClick={() => window.print()}>
        {text.print}
      </Button>
    </>
  );
  return (
    <Page title={text.poster} actions={actions}>
      <Loaded from={link}>{(row) => <Poster link={row} />}</Loaded>
    </Page>
  );
}

function Poster({ link }: { readonly link: PaymentLink }) {
  const text = words.paymentLinks;
  const { title, description, currency, url } = link;
  if (url === null) return <p className="notice">{text.noUrl}</p>;
  const price = findPrice(link);
  return (
    <article className="poster">
      <ShopName />
      <h2 dir="auto">{title}</h2>
      {description && <p dir="auto">{description}</p>}
      {price && <p className="poster-price">{price}</p>}
      <QrCode content={url} label={text.scan} />
      <p>{text.payIn({ coin: currency })}</p>
      <p>
        <code>{url.replace(/^https?:\/\//, "")}</code>
      </p>
    </article>
  );
}
