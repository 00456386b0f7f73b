/** Texts about connecting a shop, apart from those of every page: only keys, webhooks and the audit log load them. */
export const shops = {
  title: "Connect a shop",
  hint: "For a shop with the Daric plugin, like WooCommerce. You copy an address and a code: no programming.",
  rights:
    "The shop gets a key of its own: it can create and read payments, and ask for refunds. It cannot pay out money: you pay each refund yourself.",
  make: "Make a code",
  open: "Open the Daric page in your shop's administration.",
  address: "Enter this address there.",
  code: "Enter this code there.",
  copyCode: "Copy the code",
  left: "It connects one shop. Time left:",
  over: "This code has ended. Make a new one.",
  waiting: "This page says when your shop has connected.",
  connected: "{shop} is connected. Its key and its webhook are listed here.",
  acts: {
    made: "Code to connect a shop made",
    connected: "Shop connected",
  },
} as const;
