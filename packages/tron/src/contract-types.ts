/** Contract type numbers of protocol.Transaction.Contract. */
const CONTRACT_TYPES: Readonly<Record<string, number>> = {
  AccountCreateContract: 0,
  TransferContract: 1,
  TransferAssetContract: 2,
  VoteWitnessContract: 4,
  WitnessCreateContract: 5,
  AssetIssueContract: 6,
  WitnessUpdateContract: 8,
  ParticipateAssetIssueContract: 9,
  AccountUpdateContract: 10,
  FreezeBalanceContract: 11,
  UnfreezeBalanceContract: 12,
  WithdrawBalanceContract: 13,
  UnfreezeAssetContract: 14,
  UpdateAssetContract: 15,
  ProposalCreateContract: 16,
  ProposalApproveContract: 17,
  ProposalDeleteContract: 18,
  SetAccountIdContract: 19,
  CreateSmartContract: 30,
  TriggerSmartContract: 31,
  UpdateSettingContract: 33,
  ExchangeCreateContract: 41,
  ExchangeInjectContract: 42,
  ExchangeWithdrawContract: 43,
  ExchangeTransactionContract: 44,
  UpdateEnergyLimitContract: 45,
  AccountPermissionUpdateContract: 46,
  ClearABIContract: 48,
  UpdateBrokerageContract: 49,
  ShieldedTransferContract: 51,
  MarketSellAssetContract: 52,
  MarketCancelOrderContract: 53,
  FreezeBalanceV2Contract: 54,
  UnfreezeBalanceV2Contract: 55,
  WithdrawExpireUnfreezeContract: 56,
  DelegateResourceContract: 57,
  UnDelegateResourceContract: 58,
  CancelAllUnfreezeV2Contract: 59,
};

export function contractTypeNumber(name: string): number | undefined {
  return Object.hasOwn(CONTRACT_TYPES, name) ? CONTRACT_TYPES[name] : undefined;
}

const KNOWN_TYPES = new Set(Object.values(CONTRACT_TYPES));

export function isContractType(type: number): boolean {
  return KNOWN_TYPES.has(type);
}

/** The name of a contract type number, or its number if unknown. */
export function contractTypeName(type: number): string {
  return Object.entries(CONTRACT_TYPES).find(([, number]) => number === type)?.[0] ?? `contract type ${type}`;
}
