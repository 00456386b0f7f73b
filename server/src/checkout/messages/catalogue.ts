/** A text that names something: `{ shop: "Blue Bottle Books" }`. */
type Sentence<Names extends string> = (named: Readonly<Record<Names, string>>) => string;

/**
 * A text around elements of the page, in the order of its language: a list for `html`. It knows nothing of markup, so
 * whatever is put into it comes out untouched.
 */
type Phrase<Names extends string> = <Part>(
  parts: Readonly<Record<Names, Part>>,
) => readonly (string | Part)[];

/** A text that depends on how many there are. */
type Counted = (count: number) => string;

/** The state in a few words, and what it means for the payer. */
export type Notice = {
  readonly title: string;
  readonly text: string;
  readonly more?: string;
  /** what a screen reader says when it comes to this, in whole sentences; the title and the text where it is left out */
  readonly spoken?: string;
};
/** A notice that names something; amounts come with their currency. */
export type NoticeOf<Names extends string> = (named: Readonly<Record<Names, string>>) => Notice;

/** What an address is to its payer. */
export type Subject = "order" | "address";

/** A button whose words do not all have room; what is hidden is told to screen readers, after what is shown. */
export type ButtonLabel = { readonly shown: string; readonly hidden?: string };

/** Why a payer writes to the shop: what the link says. */
export type ContactReason = "help" | "refund";

/** Every text that a payer reads, in one language. Who shows it chooses the key; here stand only words. */
export type Messages = {
  /** as HTML and Intl name the language */
  readonly language: string;

  readonly page: {
    readonly payShop: Sentence<"shop">;
    readonly payAmount: Sentence<"amount" | "shop">;
    /** the title of a tab, once it is paid; the second part where the order has a name of its own */
    readonly paidTitle: string;
    readonly receiptTitle: Sentence<"order">;
    /** before what follows of the network */
    readonly test: string;
    readonly noCoinValue: string;
    readonly keepPhraseSecret: string;
    readonly connectionLost: string;
    readonly otherLanguages: string;
  };
  readonly testNetworks: Readonly<Record<"nile" | "shasta" | "devnet" | "private", string>>;

  readonly status: {
    readonly awaiting: Notice;
    /** where the payer chooses how much */
    readonly awaitingAny: NoticeOf<"currency">;
    readonly standing: NoticeOf<"currency">;
    readonly lastBlocks: Notice;
    readonly wrongCoin: Readonly<Record<Subject, NoticeOf<"amount" | "currency" | "shop">>>;
    readonly partFound: NoticeOf<"received" | "rest">;
    readonly found: NoticeOf<"received">;
    /** every confirmation is there, and the network has not made it final yet */
    readonly foundNotFinal: NoticeOf<"received">;
    readonly foundStuck: NoticeOf<"received">;
    readonly foundInReorg: NoticeOf<"received">;
    readonly partReceived: NoticeOf<"received" | "rest" | "due">;
    /** the rate of the rest is no longer locked, so no sum is named for it */
    readonly partReceivedUnlocked: NoticeOf<"received">;
    /** what so little is missing by, and what to do where an exchange lets nobody withdraw it */
    readonly smallRest: Sentence<"shop">;
    readonly partReceivedTooLate: NoticeOf<"received" | "rest" | "due" | "shop">;
    readonly receivedTooLate: NoticeOf<"received" | "shop">;
    readonly paid: NoticeOf<"received">;
    readonly paidLate: NoticeOf<"received">;
    /** less than was asked, taken by the shop for the whole; what was received comes without its currency, which the sum has */
    readonly accepted: NoticeOf<"received" | "due" | "shop">;
    readonly paidToStandingAddress: NoticeOf<"received">;
    /** the surplus comes without its currency, which the sum has */
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
    /** the network by the names that wallets show */
    readonly testNetwork: string;
    readonly timeToPay: string;
    /** the time left, as scripts count it: `4:13` */
    readonly heldFor: Sentence<"left">;
    readonly heldUntil: Sentence<"time">;
    readonly heldNoLonger: string;
    /** asks for the amount at the rate of now */
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
    /** what becomes of money on another network */
    readonly otherNetworks: Readonly<Record<"token" | "native", string>>;
    /** currency and transfer standard in the words of wallets: what decides whether a transfer arrives */
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
    /** said and shown instead of the seconds, once the payer stays */
    readonly stays: string;
    readonly cancel: Sentence<"host">;
  };

  /** what stands on paper alone */
  readonly receipt: {
    readonly title: string;
    readonly paidTo: string;
    readonly contact: string;
    readonly page: string;
    /** follows the word for a test */
    readonly noValue: string;
  };

  /** the way to the shop; `mail` is what a message to it begins with */
  readonly contact: {
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

  /** what becomes of a transaction that the payer names */
  readonly lookup: {
    readonly title: string;
    readonly label: string;
    readonly hint: string;
    readonly check: string;
    /** no answer could be had at all */
    readonly failed: string;
    readonly counted: Sentence<"amount">;
    readonly seen: Sentence<"amount" | "count" | "required">;
    readonly failedOnChain: string;
    /** `end` is the last four characters of the address */
    readonly otherAddress: Sentence<"end">;
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

  /** what the page's scripts say when they act */
  readonly scripts: {
    readonly copied: string;
    readonly selectToCopy: string;
    readonly daysAndHours: Sentence<"days" | "hours">;
    readonly fiveMinutesLeft: string;
    readonly oneMinuteLeft: string;
    readonly walletAsks: string;
    readonly walletSent: string;
    readonly walletRefused: string;
    readonly walletOnOtherNetwork: string;
  };

  readonly problems: Readonly<Record<"notFound" | "tooOften" | "noRate" | "unavailable", Notice>>;
};

/** Chooses the form that a language has for a number of things; forms that it does not have are left out. */
export function pluralOf(
  language: string,
  forms: Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>,
): Counted {
  const rules = new Intl.PluralRules(language);
  return (count) => forms[rules.select(count)] ?? forms.other;
}

/** Who has read a translation and found it right: nobody yet, or a person on a day. No payer is told. */
type Review = "unreviewed" | { readonly by: string; readonly on: string };

/** A catalogue in another language than that in which the texts are written first. */
export type Translation = Messages & {
  /** what those who read the language call it */
  readonly name: string;
  readonly direction: "ltr" | "rtl";
  readonly review: Review;
};
