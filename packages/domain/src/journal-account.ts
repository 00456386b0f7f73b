/** The accounts of a merchant's journal, with the code that each has until the merchant gives its own. */
export const defaultAccountCodes = {
  held: "1200",
  wallet: "1210",
  fees_payable: "2200",
  gas: "2210",
  suspense: "2900",
  revenue: "4000",
  unmatched: "4100",
  refunds: "4200",
  exchange: "4900",
  fees: "6800",
  network_costs: "6810",
} as const satisfies Readonly<Record<string, string>>;

export type JournalAccount = keyof typeof defaultAccountCodes;
export const journalAccounts = Object.keys(defaultAccountCodes) as readonly JournalAccount[];

/** A code in the merchant's own chart of accounts. */
export const ACCOUNT_CODE_PATTERN = /^[A-Za-z0-9._-]{1,20}$/;

/** The merchant's own codes; an account without one has its default. */
export type AccountCodes = Readonly<Partial<Record<JournalAccount, string>>>;
