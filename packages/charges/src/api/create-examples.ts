/** Examples of the body of create, for its documentation. */
export const createExamples = {
  order: {
    summary: "An order of 25.5 USDT",
    value: { amount: "25.5", orderRef: "A-1042", successUrl: "https://shop.example.org/thanks" },
  },
  fiat: {
    summary: "An order of 19.99 USD, paid in USDT",
    value: { amount: "19.99", pricingCurrency: "USD", orderRef: "A-1043" },
  },
  receive: { summary: "A standing receive address", value: { reusable: true } },
  open: { summary: "An open address for any amount of TRX", value: { currency: "TRX", label: "Donations" } },
};
