import type { Endpoint, EndpointTable } from "./endpoint.ts";

/** A node prints an empty list, and what it does not find, as `{}`. */
const nothing: Endpoint = () => ({});

/** TRC-10 tokens and exchanges, of which this chain has none. */
export const EMPTY_LISTS: EndpointTable = {
  getassetissuelist: nothing,
  getpaginatedassetissuelist: nothing,
  getassetissuebyid: nothing,
  getassetissuebyname: nothing,
  getassetissuelistbyname: nothing,
  listexchanges: nothing,
  getexchangebyid: nothing,
};

/** Those that only full nodes have, and proposals. */
export const EMPTY_LISTS_OF_FULL_NODES: EndpointTable = {
  getassetissuebyaccount: nothing,
  getpaginatedexchangelist: nothing,
  listproposals: nothing,
  getpaginatedproposallist: nothing,
  getproposalbyid: nothing,
};
