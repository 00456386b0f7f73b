import { useRead } from "../api/use-call.ts";
import { priceOptions } from "../format/price-currency.ts";
import { words } from "../words/words.ts";
import { SelectField } from "./field.tsx";

type Props = {
  /** the coins of the service, the usual one first */
  readonly coins: readonly string[];
  readonly chosen: string | undefined;
  /** whether the price is converted at once, which a resting currency refuses */
  readonly isForNow?: boolean;
};

/** The choice of the currency of a price. */
export function PriceField({ coins, chosen, isForNow = false }: Props) {
  const { data } = useRead("GET /v1/currencies", {});
  const { options, resting } = priceOptions(coins, data, chosen);
  // The form would leave out a chosen option that is closed, and the price would be in another currency.
  const closed = isForNow ? resting.filter((code) => code !== chosen) : [];
  return <SelectField label={words.work.ask.priceIn} name="price" options={options} closed={closed} />;
}
