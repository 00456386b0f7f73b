import { checkoutLanguages } from "../domain/checkout.ts";
import { integerOr, list, setting } from "../runtime/setting.ts";

/** Tags in our spelling, in whatever case the operator wrote them. */
const chosenTags = list.transform((items, issue): readonly string[] =>
  items.flatMap((item) => {
    const tag = checkoutLanguages.find((known) => known.toLowerCase() === item.toLowerCase());
    if (tag !== undefined) return [tag];
    issue.addIssue({
      code: "custom",
      message: `names ${JSON.stringify(item)}; there are ${checkoutLanguages.join(", ")}`,
    });
    return [];
  }),
);

/** Rate limits of payers, and languages. */
export const checkoutSettings = {
  readsPerMinute: setting({
    env: "RATE_LIMIT_CHECKOUT_PER_MINUTE",
    ...integerOr(120, 1, 1_000_000),
    roles: ["api"],
    meaning: "Reads per minute of one valid checkout token.",
  }),
  requotesPerMinute: setting({
    env: "RATE_LIMIT_REQUOTE_PER_MINUTE",
    ...integerOr(6, 1, 1_000_000),
    roles: ["api"],
    meaning: "Requotes per minute of one valid checkout token.",
  }),
  languages: setting({
    env: "CHECKOUT_LANGUAGES",
    read: chosenTags.prefault(checkoutLanguages.join()),
    default: "all",
    roles: ["api"],
    meaning: `Languages of the checkout page, of ${checkoutLanguages.join(", ")}. English is always one: a payer who reads none of them gets it.`,
  }),
};
