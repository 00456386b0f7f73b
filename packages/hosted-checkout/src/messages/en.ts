import type { Texts } from "@daric/runtime/texts";

/**
 * Every text for payers, in English. It defines the keys and the names of the other languages, which are JSON files beside it. The
 * caller chooses the key; this file has only words. Amounts include their currency.
 */
export const en = {
  page: {
    /** the page's title for chats, which keep it: without an amount and a reference */
    paymentTo: "Payment to {shop}",
    payAmount: "Pay {amount} · {shop}",
    /** on a deployment of several merchants */
    paymentToBy: "Payment to {shop}, by {host}",
    report: "Report this page",
    /** the tab's title once paid; the second part if the order has a name of its own */
    paidTitle: "✓ Paid",
    receiptTitle: "Receipt {order}",
    /** before the text of the network */
    test: "Test",
    noCoinValue: "Coins here have no value.",
    keepPhraseSecret:
      "No shop needs your wallet's recovery phrase to take a payment. Never type it into a page.",
    connectionLost: "Connection lost. Trying again …",
    otherLanguages: "Other languages",
    /** leads to the page of the rest, or back to that of the order */
    otherPage: "Open the other page of this order",
  },
  testNetworks: {
    nile: "Nile test network",
    shasta: "Shasta test network",
    devnet: "Local development chain",
    private: "Private chain",
  },

  status: {
    awaiting: {
      title: "Waiting for your payment",
      text: "This page updates by itself a few seconds after you send.",
    },
    /** if the payer chooses the amount */
    awaitingAny: {
      title: "Ready to receive {currency}",
      text: "Send what you like. This page updates by itself a few seconds later.",
    },
    standing: {
      title: "Ready to receive {currency}",
      text: "Send as often as you like. Each payment shows here a few seconds later.",
    },
    lastBlocks: {
      title: "Time is over; checking the last blocks",
      text: "Do not send now. If you sent in time, your payment shows here in about a minute.",
    },
    wrongCoin: {
      order: {
        title: "{amount} arrived; this order is in {currency}",
        text: "It does not count towards the order, and it is not lost: {shop} can find it. To pay, send {currency} as below.",
      },
      address: {
        title: "{amount} arrived; this address is for {currency}",
        text: "It does not count as a payment, and it is not lost: {shop} can find it. To pay, send {currency} as below.",
      },
    },
    partFound: {
      title: "{rest} still to send",
      text: "{received} found and being confirmed. Send the rest to the same address.",
      spoken: "{received} found. {rest} still to send, to the same address.",
    },
    found: {
      title: "Payment found",
      text: "{received} found. The network confirms it in about a minute. You can close this page: nothing will be lost.",
      spoken: "{received} found. Confirming, about a minute.",
    },
    /** with all confirmations, before the network makes it final */
    foundNotFinal: {
      title: "Payment found",
      text: "{received} has every confirmation. It counts as soon as the network makes it final, in a few seconds as a rule. You can close this page: nothing will be lost.",
      spoken: "{received} has every confirmation. It is final in a few seconds.",
    },
    foundStuck: {
      title: "Payment found",
      text: "{received} found. The network takes longer than usual. Your payment is safe: there is nothing to do but wait.",
      spoken: "{received} found. The network takes longer than usual. Your payment is safe.",
    },
    foundInReorg: {
      title: "Payment found",
      text: "{received} found. The network is putting its last blocks in order again. Please do not send a second time.",
      spoken: "{received} found. The network is sorting its last blocks. Please do not send a second time.",
    },
    partReceived: {
      title: "{rest} is missing",
      text: "{received} of {due} arrived. Send {rest} more to the same address before the time is over.",
    },
    /** the rate of the rest is no longer locked, so it names no sum */
    partReceivedUnlocked: {
      title: "Paid in part",
      text: "{received} arrived. Get today's amount for the rest, and send it to the same address.",
    },
    /** the reason for a small rest, and the advice if an exchange refuses to withdraw it */
    smallRest:
      "Probably an exchange kept its fee. Too little for your exchange? Use a wallet, or write to {shop}.",
    partReceivedTooLate: {
      title: "Paid in part",
      text: "{received} of {due} arrived; {rest} is missing, and the time is over. Do not send the rest now: write to {shop}, who can deliver or refund.",
    },
    receivedTooLate: {
      title: "Your payment came too late",
      text: "Your {received} arrived after this order had closed. Ask {shop} to deliver or refund it.",
    },
    /** the whole price came, `received` in time and the rest of it too late */
    receivedPartTooLate: {
      title: "Part of your payment came too late",
      text: "{received} arrived in time, and {late} after this order had closed. Ask {shop} to deliver or refund it.",
    },
    /** what is missing is paid on another page */
    continued: {
      title: "This order goes on at another page",
      text: "Send nothing to this page any more. The other page shows what is still to be paid.",
    },
    /** with the sum that came by other pages of the order */
    paidByRest: {
      title: "Paid",
      text: "{received} arrived here, and {rest} by another page of this order. The payment is final.",
    },
    paid: {
      title: "Paid",
      text: "{received} received. The payment is final.",
    },
    paidLate: {
      title: "Paid",
      text: "{received} received. It came after the time was over, and was accepted. The payment is final.",
    },
    /** the shop accepted less as the whole; `received` is without its currency, which `due` has */
    accepted: {
      title: "Paid",
      text: "{shop} accepted {received} of {due} as full payment.",
    },
    paidToStandingAddress: {
      title: "Payment received",
      text: "{received} so far. You can send to this address again.",
      spoken: "Payment received. {received} so far.",
    },
    /** the surplus is without its currency, which `received` has */
    overpaid: {
      title: "Paid",
      text: "{received} received, {surplus} more than asked. {shop} sees it too: ask for it back.",
    },
    expired: {
      title: "This payment link has expired",
      text: "Nothing has arrived. Do not send now: start again at {shop}.",
      more: "Already sent? Your money is not lost. It will show here within minutes; if it does not, check your transaction.",
    },
    /** the amount is of another currency */
    expiredWithWrongCoin: {
      title: "This payment link has expired",
      text: "{amount} arrived, but this order was in {currency}. It is not lost: {shop} can find it. Do not send now.",
    },
    closed: {
      title: "This order is closed",
      text: "{shop} closed it before it was paid. Do not send now.",
      more: "Already sent? Your money is not lost: write to {shop}.",
    },

    confirmations: "Confirmations",
    confirmationsOf: "{count} of {required}",
    notFinalYet: "Waiting for the network to make it final",
    unmatched: {
      order: "{amount} arrived too. It does not count: this order is in {currency}.",
      address: "{amount} arrived too. It does not count: this address is for {currency}.",
    },
  },

  summary: {
    amount: "Amount",
    amountToSend: "Amount to send",
    stillToSend: "Still to send",
    amountSent: "Amount sent",
    amountReceived: "Amount received",
    youChoose: "You choose the amount",
    /** stands below the choice */
    inCurrency: "in {currency}",
    /** why the amount above, which is without its currency here, is rounded up */
    exactDue: "Exactly {due} is due; {amount} pays it in full.",
    copyAmount: { shown: "Copy", hidden: "amount" },
    order: "Order",
    price: "Price",
    rate: "Rate",
    rateOf: "1 {fiat} = {amount}",
    fee: "Network and service fee",
    totalDue: "To send",
    received: "Received",
    receivedAt: "Received on",
    network: "Network",
    /** the network's names in wallets */
    testNetwork: "test",
    timeToPay: "Time to pay",
    /** the time left in the form of the scripts: `4:13` */
    heldFor: "Price held for {left}",
    heldUntil: "Price held until {time}",
    heldNoLonger: "Price no longer held",
    /** requests the amount at the current rate */
    todaysAmount: "Get today's amount",
    alreadySent: "Already sent? It counts if it was sent before {time}.",
    until: "until {time}",
  },

  payment: {
    qrCode: "QR code of the address",
    qrWithAmount: "QR code with the amount",
    /** the wallets that read the code with the amount */
    fewReadIt:
      "Few wallets read this code, for example Tangem; no exchange does. Check coin and amount before you send.",
    showQrCode: "Show QR code for another device",
    toAddress: "To this address",
    copyAddress: { shown: "Copy address" },
    payWith: {
      tronLink: "Pay with TronLink",
      trust: "Pay with Trust Wallet",
      tokenPocket: "Pay with TokenPocket",
    },
    sendOnly: "Only {coin}.",
    /** the warning about other networks */
    otherNetworks: {
      token:
        "On any other network (Ethereum ERC-20, BNB BEP-20, Solana …) the money does not arrive and may be lost.",
      native: "On any other network the money does not arrive and may be lost.",
    },
    /** currency and transfer standard in the words of wallets; a transfer on another standard is lost */
    coinOf: {
      token: "{coin} on TRON (TRC-20)",
      native: "{coin} on TRON",
    },
    fromExchange: "Paying from an exchange?",
    exchangeAmount: {
      namedFee: "Enter an amount so that {amount} is what we receive after its fee (often about {fee}).",
      unnamedFee: "Enter an amount so that {amount} is what we receive after its fee.",
    },
    /** GasFree is a service's name */
    relayed: "Money sent by GasFree or another contract counts too.",
  },

  deposits: {
    title: "{count, plural, one {Your payment} other {Your payments}}",
    confirming: "Confirming",
    confirmed: "Confirmed",
    confirmedLate: "Confirmed, late",
    failed: "Failed",
    doesNotCount: "Does not count",
    /** all transfers of dust in one line */
    tiny: "{count, plural, one {# tiny transfer by others} other {# tiny transfers by others}}",
    transaction: "Transaction {id} at the explorer",
    transactionId: "Transaction",
    copyTransaction: { shown: "Copy", hidden: "transaction id" },
    from: "From",
    explorer: "Explorer",
    print: "Print receipt",
  },

  exit: {
    backTo: "Back to {shop}",
    leavingIn: "Taking you to {host} in {seconds} s.",
    stay: "Stay here",
    /** replaces the countdown if the payer stays */
    stays: "This page stays open.",
    cancel: "Cancel and go back to {host}",
  },

  /** on paper alone */
  receipt: {
    title: "Receipt",
    paidTo: "Paid to",
    contact: "Contact",
    page: "Payment page",
    /** after the word for a test */
    noValue: "no value",
  },

  /** the link to the shop; a message begins with `mail` */
  contact: {
    /** where something is wrong, of a shop without a contact */
    none: "{shop} gives no contact here: ask where you placed the order.",
    link: {
      help: "Write to {shop}",
      refund: "Ask {shop} for it back",
    },
    mail: {
      order: "Order {order}",
      payment: "My payment to {shop}",
      page: "Payment page: {page}",
      address: "Address: {address}",
      transaction: "Transaction: {id}",
      received: "Received: {received}",
      receivedOf: "Received: {received} of {due}",
    },
  },

  /** results of the payer's look-up */
  lookup: {
    title: "I have paid, but it does not show",
    label: "Transaction ID or explorer link",
    hint: "Your wallet or exchange shows it as TxID or hash: 64 characters, 0–9 and a–f.",
    check: "Check",
    /** the look-up itself failed */
    failed: "We could not check just now. Please try again in a minute.",
    counted: "{amount} arrived by this transaction, final and counted. There is nothing to do.",
    /** final money that came to another page of the order, while this page asks for the rest */
    countedBefore:
      "{amount} arrived by this transaction, and it is counted for this order. This page asks for the rest: {rest}.",
    /** dust */
    tooSmall: "{amount} arrived by this transaction. It is too small to count, and changes nothing.",
    /** final money, where the message of the page says what is still to be done */
    arrived: "{amount} arrived by this transaction, and it is final.",
    seen: "{amount} found: {count} of {required} confirmations. There is nothing to do but wait about a minute.",
    /** money on its way, where the message of the page says what is still to be done */
    seenInPart: "{amount} found: {count} of {required} confirmations.",
    failedOnChain:
      "This transaction failed on the chain. It moved no money: what you sent is still in your wallet.",
    /** `end` is the last four characters of the address */
    otherAddress:
      "This transaction paid another address, one that ends in {end}. Nothing of it came to this page.",
    /** both addresses, shortened to characters in which they differ */
    lookAlike:
      "This transaction paid another address that only looks like this one: {other} instead of {here}. Addresses like this are made to deceive: take the address from this page, not from your history.",
    nothingSent: "This transaction sent nothing to the address of this page.",
    otherCoin:
      "{amount} arrived, but this payment is in {currency}. It does not count, and it is not lost: write to the shop.",
    otherToken: "This transaction sent another token than {currency}. It does not count: write to the shop.",
    notOnTron:
      "This looks like an Ethereum hash (0x…). This payment is on TRON only: ask the wallet or exchange that you sent from.",
    notFound:
      "Not found yet. A new transaction takes up to a minute to show: check the ID, and try again then.",
    busy: "Many payers ask at this moment: please try again in {seconds} seconds. Your payment is not affected.",
    notAnId:
      "This is no transaction ID. It has 64 characters, 0–9 and a–f; an explorer link with it is fine too.",
  },

  /** the payer's e-mail address: for the receipt, on the page of a payment link, and the end of mails */
  email: {
    title: "Get the receipt by e-mail",
    label: "Your e-mail address",
    hint: "For the receipt and what you have to know about this payment. {shop} sees the address.",
    send: "Send me the receipt",
    missing: "Enter your e-mail address.",
    wrong: "This is not an e-mail address. It looks like {example}.",
    /** the same words whether another address was given before */
    thanks: "Thank you. The receipt goes to the address that was given first for this payment.",
    stop: {
      title: "No more mails from {shop}?",
      text: "{shop} then sends no more mails about payments to your address. A receipt that you ask for still comes.",
      button: "Stop these mails",
      done: "{shop} sends you no more mails about payments.",
    },
    /** the reader of a shop's mailbox for its payers */
    confirm: {
      title: "Do payers of {shop} reach you here?",
      text: "{address} is to become the address for answers to the mails that payers of {shop} get. If you do not expect this, close this page.",
      button: "Yes, confirm the address",
      done: "{address} is confirmed. Answers of payers go there.",
      over: "This link no longer holds. A new one can be sent from the dashboard.",
    },
  },

  /** the test tool of a local chain */
  panel: {
    title: "Test: pay from the demo wallet",
    text: "This box is only on a local chain. Each button sends a payment on it.",
    cases: {
      exact: "Exact",
      under: "Too little",
      over: "Too much",
      twice: "Twice",
      wrong_coin: "Wrong coin",
      late: "Late",
    },
    sent: "Sent. The page follows within seconds.",
    failed: "It was not sent.",
  },

  /** texts of the page's scripts */
  scripts: {
    copied: "Copied",
    selectToCopy: "Select the text to copy it",
    daysAndHours: "{days} d {hours} h",
    fiveMinutesLeft: "5 minutes left to pay.",
    oneMinuteLeft: "1 minute left to pay.",
    walletAsks: "Confirm in your wallet …",
    /** from the signature, or an answer that may hide a payment, until the chain shows what became of it */
    walletLooks: "Not seen on the chain yet. Looking …",
    /** its time is over and no block has it */
    walletGone: "Too late for the chain: no money moved. You can pay again.",
    walletRefused: "Nothing was sent. Try again?",
    walletOnOtherNetwork: "Your wallet is on another network.",
  },

  /** the public page of a payment link, before there is an order */
  paymentLink: {
    continue: "Continue to payment",
    /** under a price in another currency than the one to pay in */
    paidIn: "You pay in {currency} at the rate of that moment.",
    next: "The next page shows the address and the time to pay.",
    amount: "Amount in {currency}",
    otherAmount: "Another amount in {currency}",
    suggested: "Choose an amount",
    between: "From {min} to {max}",
    from: "{min} or more",
    upTo: "Up to {max}",
    name: "Your name",
    note: "A note to {shop} (optional)",
    amountMissing: "Enter an amount.",
    amountUnread: "Enter the amount as a number, like {example}.",
    /** the text can mean either amount */
    amountUnclear: "Did you mean {one} or {other}? Enter it without separators of thousands.",
    amountTooSmall: "The least amount is {min}.",
    amountTooLarge: "The largest amount is {max}.",
    amountDecimals: "Decimals allowed in {currency}: {most}.",
    nameMissing: "Enter your name.",
    closed: {
      title: "This link takes no more orders",
      text: "An order that you have made can still be paid on its own page.",
    },
    soldOut: {
      title: "Sold out",
      text: "All places are taken. One may come free in a few minutes, if another payer does not pay.",
    },
    /** too many open orders */
    busy: {
      title: "Too many orders are open just now",
      text: "Pay one that you have made, or try again in a few minutes.",
    },
  },

  /** the page where a payer names the address of a refund */
  claim: {
    /** of the document */
    title: "Money back from {shop}",
    amount: "You get back",
    where: "Where should {shop} send it?",
    label: "Your TRON address",
    hint: "34 characters, beginning with T. This link takes one address, once.",
    /** an exchange sends from its own address, not from the payer's */
    exchange:
      "Did you pay from an exchange? Then do not take the address that sent the payment: it is the exchange's. Take your own deposit address there, for {coin} on TRON.",
    next: "Check the address",
    /** a large surplus */
    sender: {
      text: "{shop} sends an amount like this back to the address that it came from:",
      button: "Use this address",
      other: "{shop} must agree to any other address.",
    },
    check: {
      title: "Is this your address?",
      compare:
        "Compare every group with your wallet. Addresses that look alike at both ends are made to deceive.",
      once: "You cannot change it afterwards, and a transfer cannot be called back.",
      paidOrder:
        "This address paid the order. If you paid from an exchange, it is the exchange's, and the money would not reach you.",
      notPaidOrder: "No payment of this order came from this address.",
      isNew: "The chain does not know this address yet. The first transfer to it activates it.",
      needsShop: "Another address paid this order, so {shop} must agree first.",
      button: "Yes, send it there",
      other: "Take another address",
    },
    toAddress: "To this address",
    waits: {
      title: "{shop} must confirm the refund",
      text: "Your address is saved. There is nothing for you to do.",
    },
    ready: {
      title: "Your address is saved",
      text: "{shop} now sends the money from its own wallet, by hand. The transaction will be shown here.",
    },
    sent: {
      title: "The money is on its way",
      text: "The transfer is on the chain. It is final in about a minute.",
    },
    paid: { title: "Paid back", text: "{amount} went to your address. The transfer is final." },
    canceled: { title: "{shop} canceled this refund", text: "No money comes by it. Ask {shop} why." },
    /** another address was sent to a link that took one */
    taken: "This link took an address already. To change it, ask {shop} for a new link.",
    expired: {
      title: "This link has expired",
      text: "The refund is not lost: ask {shop} for a new link.",
    },
    refused: {
      title: "This link takes no more addresses",
      text: "Too many were refused. The refund is not lost: ask {shop} for a new link.",
    },
    replaced: {
      title: "There is a newer link",
      text: "{shop} sent you a newer link for this refund. This one does not work any more.",
    },
    faults: {
      missing: "Enter your address.",
      noAddress: "This is no TRON address. It has 34 characters and begins with T.",
      mistyped: "A character is wrong. Copy the whole address again.",
      otherChain: "This is an address of {chain}. The refund goes to TRON: such an address begins with T.",
      contract: "This is a contract, not a wallet: the money would be lost.",
      blacklisted: "{currency} has blocked this address: the money could never leave it.",
      unusable: "This address cannot get the refund. Take the address of a wallet of your own.",
      /** the check itself failed */
      unchecked: "We could not check the address just now. Please try again in a minute.",
    },
  },
  /** on the page of an order; `end` is the last characters of the address */
  refund: {
    title: "Your money goes back",
    text: "This order is closed: send nothing more.",
    asked: "{shop} sends {amount} back, and waits for your address. Open the link that you got from {shop}.",
    waits: "{shop} must confirm that {amount} goes back to your address …{end}.",
    ready: "{shop} sends {amount} back to your address …{end}.",
    sent: "{amount} is on its way back to your address …{end}.",
    paid: "{amount} went back to your address …{end}.",
  },

  problems: {
    notFound: {
      title: "We cannot find this payment",
      text: "The link may be cut off: open it again from the shop, or ask the shop for a new one. Until then, do not send money.",
      more: "Already sent? Send the shop your transaction id: with it, it can find your money.",
    },
    noPage: {
      title: "There is no page here",
      text: "The address may be cut off or mistyped: open the link again from where you have it.",
    },
    tooOften: {
      title: "One moment, please",
      text: "This page was opened very often just now. It comes back by itself.",
    },
    noRate: {
      title: "No rate just now",
      text: "Today's amount cannot be worked out at the moment. This page comes back by itself: ask for it again then.",
    },
    unavailable: {
      title: "This page is not available right now",
      text: "A payment that you have sent is not lost: it is on the chain and will be found. This page looks again by itself.",
    },
  },
  /** mails to the payer */
  mail: {
    subject: {
      paid: "Receipt: {amount} to {shop}",
      short: "{rest} is missing: {shop}",
      /** how much is missing is not known */
      part: "Paid in part: {shop}",
      late: "Your payment to {shop} came too late",
      claim: "{shop} sends you {amount} back",
      refunded: "Paid back: {amount} by {shop}",
    },
    /** the link by which a payer names the address of a refund */
    claim: {
      title: "{amount} back from {shop}",
      text: "{shop} sends you {amount} back. Name the TRON address that shall get it.",
      newer: "This link replaces the one that you got before: that one does not work any more.",
      once: "The link takes one address, once. Do not pass it on: the address that is named there gets the money.",
      button: "Name your address",
      /** the end of the link */
      until: "Link holds",
    },
    refunded: {
      title: "{amount} paid back",
      text: "{shop} sent {amount} back to you. The transfer is final.",
      /** the last characters of the address */
      address: "To your address",
    },
    received: "{shop} received {amount}. The payment is final.",
    payRest: {
      text: "{received} of {due} arrived. To pay in full, send {rest} more: the payment page shows how.",
      /** how much is missing is not known */
      unknown:
        "{received} arrived, which is not all. The payment page shows how much is still to pay, and how.",
      button: "Pay the rest",
    },
    /** after the text of a payment that came too late */
    told: "{shop} has been told.",
    openPage: "Open the payment page",
    /** of the chain */
    block: "Block {number}",
    notInvoice: "This is a receipt of your payment, not a tax invoice.",
    why: "This address was given for a payment to {shop}, so you get this mail from {host}.",
    unsubscribe: "No more mails about payments to {shop}",
  },

  /** receipts and statements as PDF files, for the merchant and the accountant */
  paper: {
    statement: "Statement of {month}",
    taxId: "Tax ID",
    order: "Order",
    payment: "Payment",
    price: "Price",
    due: "Due",
    received: "Received",
    refunded: "Paid back",
    value: "Value",
    notKnown: "not known yet",
    date: "Date",
    amount: "Amount",
    currency: "Currency",
    transaction: "Transaction",
    kind: "Kind",
    opening: "Opening",
    confirmed: "Received",
    fees: "Fees",
    settled: "Paid out",
    closing: "Closing",
    times: "Times are those of {zone}.",
    open: "This month is not over: its figures still change.",
    page: "Page {page} of {pages}",
    /** in place of a language that the fonts do not have */
    english: "This paper is in English, because no font for your language is installed.",
    /** below a paper with letters that no font has */
    gaps: "A question mark also stands for a letter that no installed font has.",
    kinds: {
      deposit: "Payment",
      unmatched: "Other coin",
      fee: "Fee",
      fixed_fee: "Fixed fee",
      fee_returned: "Fee returned",
      sweep: "Payout",
      outflow: "Moved by hand",
    },
  },
} as const;

export type Messages = Texts<typeof en>;
