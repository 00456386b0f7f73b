import { type Messages, pluralOf } from "./catalogue.ts";

const LANGUAGE = "en";

/** English. */
export const en: Messages = {
  language: LANGUAGE,

  page: {
    payShop: ({ shop }) => `Pay ${shop}`,
    payAmount: ({ amount, shop }) => `Pay ${amount} · ${shop}`,
    noCoinValue: "Coins here have no value.",
    keepPhraseSecret: "Nobody needs your wallet's recovery phrase to take a payment. Never type it anywhere.",
    connectionLost: "Connection lost. Trying again …",
    otherLanguages: "Other languages",
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
    partFound: ({ received, rest }) => ({
      title: `${rest} still to send`,
      text: `${received} is on the chain. Please send the rest to the same address.`,
    }),
    found: ({ received }) => ({
      title: "Payment found",
      text: `${received} is on the chain. The network confirms it in about a minute. You can close this page: nothing will be lost.`,
    }),
    foundNotFinal: ({ received }) => ({
      title: "Payment found",
      text: `${received} is on the chain and has every confirmation. It counts as soon as the network makes it final, in a few seconds as a rule. You can close this page: nothing will be lost.`,
    }),
    foundStuck: ({ received }) => ({
      title: "Payment found",
      text: `${received} is on the chain. The network takes longer than usual. Your payment is safe; there is nothing to do but wait.`,
    }),
    foundInReorg: ({ received }) => ({
      title: "Payment found",
      text: `${received} is on the chain. The network is putting its last blocks in order again. Please do not send a second time.`,
    }),
    partReceived: ({ received, rest }) => ({
      title: `${rest} still to send`,
      text: `${received} has arrived. Please send the rest to the same address before the time is over.`,
    }),
    partReceivedTooLate: ({ received, rest, shop }) => ({
      title: "Paid in part",
      text: `${received} arrived; ${rest} is missing, and the time is over. Please do not send the rest now, but contact ${shop}.`,
    }),
    receivedTooLate: ({ received, shop }) => ({
      title: "Paid after the time was over",
      text: `${received} arrived, but the order had closed. ${shop} sees the payment: please contact them about it.`,
    }),
    paid: ({ received }) => ({ title: "Paid", text: `${received} received and final. Thank you.` }),
    paidLate: ({ received }) => ({
      title: "Paid",
      text: `${received} received. It came after the time was over, and was accepted.`,
    }),
    paidToStandingAddress: ({ received }) => ({
      title: "Payment received",
      text: `${received} so far. You can send to this address again.`,
    }),
    overpaid: ({ received, surplus, shop }) => ({
      title: "Paid",
      text: `${received} received: ${surplus} more than asked. ${shop} sees this too: please contact them about the difference.`,
    }),
    expired: ({ shop }) => ({
      title: "The time to pay is over",
      text: `No payment arrived. Please send nothing to this address now: go back to ${shop} and start again.`,
      more: `Sent already? It is not lost. It will show here, and ${shop} can find it by its transaction id.`,
    }),
    closed: ({ shop }) => ({
      title: "This order is closed",
      text: `It was closed before it was paid. Please send nothing to it, and contact ${shop} if you have.`,
    }),

    confirmations: "Confirmations",
    confirmationsOf: ({ count, required }) => [count, " of ", required],
    notFinalYet: "Waiting for the network to make it final",
    unmatched: {
      order: ({ amount, currency }) => `${amount} arrived, but this order is in ${currency}.`,
      address: ({ amount, currency }) => `${amount} arrived, but this address is in ${currency}.`,
    },
    unmatchedAdvice: ({ shop }) => `It does not count towards the payment. Please contact ${shop} about it.`,
  },

  summary: {
    amount: "Amount",
    amountToSend: "Amount to send",
    stillToSend: "Still to send",
    amountSent: "Amount sent",
    amountReceived: "Amount received",
    anyAmount: "Any amount",
    copyAmount: { shown: "Copy", hidden: "amount" },
    order: "Order",
    price: "Price",
    feeIncluded: "Fee included",
    totalDue: "Total due",
    received: "Received",
    network: "Network",
    networkOf: { USDT: "TRON · TRC-20", TRX: "TRON" },
    testNetwork: "test",
    timeToPay: "Time to pay",
    rateLocked: ({ left }) => ["Rate locked: ", left],
    until: ({ time }) => `until ${time} UTC`,
  },

  payment: {
    qrCode: "QR code of the address below",
    toAddress: "To this address",
    copyAddress: { shown: "Copy address" },
    sendOnly: {
      order: ({ coin }) => ["Send only ", coin, ". Other coins and other networks do not reach this order."],
      address: ({ coin }) => [
        "Send only ",
        coin,
        ". Other coins and other networks do not reach this address.",
      ],
    },
    coinOf: { USDT: "USDT on TRON (TRC-20)", TRX: "TRX on TRON" },
    fromExchange: ({ amount }) => [
      "From an exchange? Its withdrawal fee comes on top: ",
      amount,
      " must arrive.",
    ],
  },

  deposits: {
    title: pluralOf(LANGUAGE, { one: "Your payment", other: "Your payments" }),
    confirming: "Confirming",
    confirmed: "Confirmed",
    confirmedLate: "Confirmed, late",
    failed: "Failed",
    transaction: ({ id }) => `Transaction ${id} at the explorer`,
  },

  exit: {
    backTo: ({ shop }) => ["Back to ", shop],
    leavingIn: ({ host, seconds }) => ["Taking you to ", host, " in ", seconds, " s."],
    stay: "Stay here",
    cancel: ({ host }) => `Cancel and go back to ${host}`,
  },

  scripts: {
    copied: "Copied",
    selectToCopy: "Select the text to copy it",
    daysAndHours: ({ days, hours }) => `${days} d ${hours} h`,
  },

  problems: {
    notFound: {
      title: "There is no checkout here",
      text: "The link may be cut off or mistyped. Open it again from the shop, or ask the shop for a new one. Please send no money to an address from elsewhere.",
    },
    tooOften: {
      title: "One moment, please",
      text: "This page was opened very often just now. It comes back by itself.",
    },
    unavailable: {
      title: "This page is not available right now",
      text: "A payment that you have sent is not lost: it is on the chain and will be found. This page looks again by itself.",
    },
  },
};
