/** A text with names: `{ shop: "Blue Bottle Books" }`. */
type Sentence<Names extends string> = (named: Readonly<Record<Names, string>>) => string;

/**
 * A text around elements of the page, in the order of its language: a list for `html`. It adds no markup, so
 * its parts stay unchanged.
 */
type Phrase<Names extends string> = <Part>(
  parts: Readonly<Record<Names, Part>>,
) => readonly (string | Part)[];

/** A text that depends on a number. */
type Counted = (count: number) => string;

/** The state in a few words, and its meaning for the payer. */
export type Notice = {
  readonly title: string;
  readonly text: string;
  readonly more?: string;
  /** whole sentences for a screen reader; default: title and text */
  readonly spoken?: string;
};
/** A notice with names; amounts include their currency. */
export type NoticeOf<Names extends string> = (named: Readonly<Record<Names, string>>) => Notice;

/** The address's purpose for its payer. */
export type Subject = "order" | "address";

/** A button with a short text; screen readers also read the hidden rest. */
export type ButtonLabel = { readonly shown: string; readonly hidden?: string };

/** The payer's reason to write to the shop. */
export type ContactReason = "help" | "refund";

/** Every text for payers, in one language. The caller chooses the key; this file has only words. */
export type Messages = {
  /** the tag for HTML and Intl */
  readonly language: string;

  readonly page: {
    /** the page's title for chats, which keep it: without an amount and a reference */
    readonly paymentTo: Sentence<"shop">;
    readonly payAmount: Sentence<"amount" | "shop">;
    /** the tab's title once paid; the second part if the order has a name of its own */
    readonly paidTitle: string;
    readonly receiptTitle: Sentence<"order">;
    /** before the text of the network */
    readonly test: string;
    readonly noCoinValue: string;
    readonly keepPhraseSecret: string;
    readonly connectionLost: string;
    readonly otherLanguages: string;
    /** leads to the page of the rest, or back to that of the order */
    readonly otherPage: string;
  };
  readonly testNetworks: Readonly<Record<"nile" | "shasta" | "devnet" | "private", string>>;

  readonly status: {
    readonly awaiting: Notice;
    /** if the payer chooses the amount */
    readonly awaitingAny: NoticeOf<"currency">;
    readonly standing: NoticeOf<"currency">;
    readonly lastBlocks: Notice;
    readonly wrongCoin: Readonly<Record<Subject, NoticeOf<"amount" | "currency" | "shop">>>;
    readonly partFound: NoticeOf<"received" | "rest">;
    readonly found: NoticeOf<"received">;
    /** with all confirmations, before the network makes it final */
    readonly foundNotFinal: NoticeOf<"received">;
    readonly foundStuck: NoticeOf<"received">;
    readonly foundInReorg: NoticeOf<"received">;
    readonly partReceived: NoticeOf<"received" | "rest" | "due">;
    /** the rate of the rest is no longer locked, so it names no sum */
    readonly partReceivedUnlocked: NoticeOf<"received">;
    /** the reason for a small rest, and the advice if an exchange refuses to withdraw it */
    readonly smallRest: Sentence<"shop">;
    readonly partReceivedTooLate: NoticeOf<"received" | "rest" | "due" | "shop">;
    readonly receivedTooLate: NoticeOf<"received" | "shop">;
    /** the whole price came, `received` in time and the rest of it too late */
    readonly receivedPartTooLate: NoticeOf<"received" | "late" | "shop">;
    /** what is missing is paid on another page */
    readonly continued: Notice;
    /** with the sum that came by other pages of the order */
    readonly paidByRest: NoticeOf<"received" | "rest">;
    readonly paid: NoticeOf<"received">;
    readonly paidLate: NoticeOf<"received">;
    /** the shop accepted less as the whole; `received` is without its currency, which `due` has */
    readonly accepted: NoticeOf<"received" | "due" | "shop">;
    readonly paidToStandingAddress: NoticeOf<"received">;
    /** the surplus is without its currency, which `received` has */
    readonly overpaid: NoticeOf<"received" | "surplus" | "shop">;
    readonly expired: NoticeOf<"shop">;
    /** the amount is of another currency */
    readonly expiredWithWrongCoin: NoticeOf<"amount" | "currency" | "shop">;
    readonly closed: NoticeOf<"shop">;

    readonly confirmations: string;
    readonly confirmationsOf: Phrase<"count" | "required">;
    readonly notFinalYet: string;
    readonly unmatched: Readonly<Record<Subject, Sentence<"amount" | "currency">>>;
  };

  readonly summary: {
    readonly amount: string;
    readonly amountToSend: string;
    readonly stillToSend: string;
    readonly amountSent: string;
    readonly amountReceived: string;
    readonly youChoose: string;
    /** stands below the choice */
    readonly inCurrency: Sentence<"currency">;
    readonly copyAmount: ButtonLabel;
    readonly order: string;
    readonly price: string;
    readonly rate: string;
    readonly rateOf: Sentence<"fiat" | "amount">;
    readonly fee: string;
    readonly totalDue: string;
    readonly received: string;
    readonly receivedAt: string;
    readonly network: string;
    /** the network's names in wallets */
    readonly testNetwork: string;
    readonly timeToPay: string;
    /** the time left in the form of the scripts: `4:13` */
    readonly heldFor: Sentence<"left">;
    readonly heldUntil: Sentence<"time">;
    readonly heldNoLonger: string;
    /** requests the amount at the current rate */
    readonly todaysAmount: string;
    readonly alreadySent: Phrase<"time">;
    readonly until: Sentence<"time">;
  };

  readonly payment: {
    readonly qrCode: string;
    readonly showQrCode: string;
    readonly toAddress: string;
    readonly copyAddress: ButtonLabel;
    readonly payWithWallet: string;
    readonly sendOnly: Phrase<"coin">;
    /** the warning about other networks */
    readonly otherNetworks: Readonly<Record<"token" | "native", string>>;
    /** currency and transfer standard in the words of wallets; a transfer on another standard is lost */
    readonly coinOf: Readonly<Record<"token" | "native", Sentence<"coin">>>;
    readonly fromExchange: string;
    readonly exchangeAmount: {
      readonly namedFee: Phrase<"amount" | "fee">;
      readonly unnamedFee: Phrase<"amount">;
    };
  };

  readonly deposits: {
    readonly title: Counted;
    readonly confirming: string;
    readonly confirmed: string;
    readonly confirmedLate: string;
    readonly failed: string;
    readonly doesNotCount: string;
    /** all transfers of dust in one line */
    readonly tiny: Counted;
    readonly transaction: Sentence<"id">;
    readonly transactionId: string;
    readonly copyTransaction: ButtonLabel;
    readonly from: string;
    readonly explorer: string;
    readonly print: string;
  };

  readonly exit: {
    readonly backTo: Phrase<"shop">;
    readonly leavingIn: Phrase<"host" | "seconds">;
    readonly stay: string;
    /** replaces the countdown if the payer stays */
    readonly stays: string;
    readonly cancel: Sentence<"host">;
  };

  /** on paper alone */
  readonly receipt: {
    readonly title: string;
    readonly paidTo: string;
    readonly contact: string;
    readonly page: string;
    /** after the word for a test */
    readonly noValue: string;
  };

  /** the link to the shop; a message begins with `mail` */
  readonly contact: {
    /** where something is wrong, of a shop without a contact */
    readonly none: Sentence<"shop">;
    readonly link: Readonly<Record<ContactReason, Sentence<"shop">>>;
    readonly mail: {
      readonly order: Sentence<"order">;
      readonly payment: Sentence<"shop">;
      readonly page: Sentence<"page">;
      readonly address: Sentence<"address">;
      readonly transaction: Sentence<"id">;
      readonly received: Sentence<"received">;
      readonly receivedOf: Sentence<"received" | "due">;
    };
  };

  /** results of the payer's look-up */
  readonly lookup: {
    readonly title: string;
    readonly label: string;
    readonly hint: string;
    readonly check: string;
    /** the look-up itself failed */
    readonly failed: string;
    readonly counted: Sentence<"amount">;
    /** final money that came to another page of the order, while this page asks for the rest */
    readonly countedBefore: Sentence<"amount" | "rest">;
    /** dust */
    readonly tooSmall: Sentence<"amount">;
    /** final money, where the message of the page says what is still to be done */
    readonly arrived: Sentence<"amount">;
    readonly seen: Sentence<"amount" | "count" | "required">;
    /** money on its way, where the message of the page says what is still to be done */
    readonly seenInPart: Sentence<"amount" | "count" | "required">;
    readonly failedOnChain: string;
    /** `end` is the last four characters of the address */
    readonly otherAddress: Sentence<"end">;
    /** both addresses, shortened to characters in which they differ */
    readonly lookAlike: Sentence<"other" | "here">;
    readonly nothingSent: string;
    readonly otherCoin: Sentence<"amount" | "currency">;
    readonly otherToken: Sentence<"currency">;
    readonly notOnTron: string;
    readonly notFound: string;
    readonly busy: Sentence<"seconds">;
    readonly notAnId: string;
  };

  /** the test tool of a local chain */
  readonly panel: {
    readonly title: string;
    readonly text: string;
    readonly cases: Readonly<Record<"exact" | "under" | "over" | "twice" | "wrong_coin" | "late", string>>;
    readonly sent: string;
    readonly failed: string;
  };

  /** texts of the page's scripts */
  readonly scripts: {
    readonly copied: string;
    readonly selectToCopy: string;
    readonly daysAndHours: Sentence<"days" | "hours">;
    readonly fiveMinutesLeft: string;
    readonly oneMinuteLeft: string;
    readonly walletAsks: string;
    /** from the signature, or an answer that may hide a payment, until the chain shows what became of it */
    readonly walletLooks: string;
    /** its time is over and no block has it */
    readonly walletGone: string;
    readonly walletRefused: string;
    readonly walletOnOtherNetwork: string;
  };

  readonly problems: Readonly<Record<"notFound" | "noPage" | "tooOften" | "noRate" | "unavailable", Notice>>;
};

/** Chooses the plural form of a language for a number; forms that it does not have are left out. */
export function pluralOf(
  language: string,
  forms: Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>,
): Counted {
  const rules = new Intl.PluralRules(language);
  return (count) => forms[rules.select(count)] ?? forms.other;
}

/** The reviewer and date of a translation. Payers do not see it. */
type Review = "unreviewed" | { readonly by: string; readonly on: string };

/** A catalogue in a language other than English, the language of the originals. */
export type Translation = Messages & {
  /** the language's name for itself */
  readonly name: string;
  readonly direction: "ltr" | "rtl";
  readonly review: Review;
};
