/**
 * Why a test of another project cannot pass. It deploys a contract (`vm`), or sends a type that this chain refuses by name (`types`).
 * It names data or settings of another network (`network`). Or it depends on the machine (`itself`).
 */
export type Reason = "vm" | "types" | "network" | "itself";

type Reasons = Readonly<Record<string, Reason>>;

const TRONWEB: Reasons = {
  "TronWeb Instance #getEvent": "vm",
  "#contract.index #customError": "vm",
  "#contract.method": "vm",
  "TronWeb.lib.event #getEventsBy": "vm",
  "#createSmartContract": "vm",
  "#triggerConstantContract": "vm",
  "#triggerComfirmedConstantContract": "vm",
  "#triggerSmartContract": "vm",
  "#deployConstantContract": "vm",
  "#estimateEnergy": "vm",
  "#clearabi": "vm",
  "#updateSetting": "vm",
  "#updateEnergyLimit": "vm",
  "#getContract": "vm",
  "#createToken": "types",
  "#updateToken": "types",
  "#purchaseToken": "types",
  "#sendToken": "types",
  "#sendAsset": "types",
  "#getTokenFromID": "types",
  "#getTokenByID": "types",
  "#getTokensIssuedByAddress": "types",
  ExchangeTokens: "types",
  "#listExchanges": "types",
  "#getExchangeByID": "types",
  Proposal: "types",
  "#applyForSR": "types",
  // Its account becomes a witness first.
  "#accountPermissionUpdate": "types",
  DExchange: "types",
  // A withdrawal that is due after a minute: unfreezing takes 14 days here.
  "#getCanWithdrawUnfreezeAmount": "network",
  // A node leaves out a size of 0, and the test expects a number.
  "#getCanDelegatedMaxSize should get the max resource can delegate when resource type is omitted": "itself",
  // The parent hash of the first block is a setting of each network.
  "#getBlock should get earliest or latest block": "network",
};

const TRONPY: Reasons = {
  // Contracts, transactions and TRC-10 tokens of Nile.
  get_contract: "network",
  const_functions: "network",
  trc20_transfer: "network",
  offline_contract_transfer: "network",
  create_smart_contract_transaction_offline: "network",
  smart_contract_transaction_fields_vs_online: "network",
  query_account: "network",
  query_event_logs: "network",
  // An answer of this machine may take less than the 0.1 ms that must not be enough.
  client_timeout: "itself",
};

/** The reason of each test whose name contains the text. A failing test without one is a fault of devchain. */
export const REASONS = { tronweb: TRONWEB, tronpy: TRONPY } as const;
