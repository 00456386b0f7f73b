/** Near the prices at the time of writing. None is round, so that a mix-up is visible. */
const STARTING = {
  // USD for 1 unit of a coin
  usdt: "0.9994",
  usdx: "0.9987",
  trx: "0.3127",
  // units of a currency for 1 USD
  ars: "1437.5",
  aud: "1.5237",
  brl: "5.3412",
  cad: "1.3974",
  chf: "0.8043",
  egp: "47.62",
  eur: "0.8613",
  gbp: "0.7551",
  inr: "89.31",
  jpy: "156.37",
  krw: "1468.3",
  lbp: "89571",
  mxn: "18.327",
  ngn: "1447.9",
  pln: "3.6541",
  try: "42.43",
};

/** The local chain's rates, as decimals; null if unknown. */
export type DevnetRates = Record<keyof typeof STARTING, string | null>;

export const ratedCodes = Object.keys(STARTING) as (keyof DevnetRates)[];

export function startingRates(): DevnetRates {
  return { ...STARTING };
}
