/**
 * Prices and limits of this chain, in the values mainnet had in 2026. Clients read them from
 * getchainparameters; nothing else in the chain repeats them.
 */
export const SUN_PER_TRX = 1_000_000n;
/** sun per unit of energy */
export const ENERGY_PRICE = 100n;
/** sun per byte of bandwidth */
export const BANDWIDTH_PRICE = 1_000n;
/** bytes per account and day */
export const FREE_BANDWIDTH = 600;
/** sun, burned by the actuator when a transfer activates its receiver */
export const NEW_ACCOUNT_FEE = 1_000_000n;
/** sun, charged as bandwidth when a transfer activates its receiver and the sender has staked nothing */
export const NEW_ACCOUNT_BANDWIDTH_FEE = 100_000n;
/** sun, for a transaction that carries a memo */
export const MEMO_FEE = 1_000_000n;
/** sun */
export const MAX_FEE_LIMIT = 15_000_000_000n;
/** bytes added to a transaction's size for the result it will carry (java-tron MAX_RESULT_SIZE_IN_TX) */
export const RESULT_BYTES = 64;
/** bytes (java-tron TRANSACTION_MAX_BYTE_SIZE) */
export const MAX_TRANSACTION_BYTES = 500 * 1024;
/** bytes (java-tron BLOCK_SIZE) */
export const MAX_BLOCK_BYTES = 2_000_000;
/** milliseconds (java-tron MAXIMUM_TIME_UNTIL_EXPIRATION) */
export const MAX_EXPIRATION_MS = 24 * 60 * 60 * 1000;
/** milliseconds: expiration that a node gives to the transactions it builds */
export const DEFAULT_EXPIRATION_MS = 60_000;
/** milliseconds over which used bandwidth recovers */
export const RESOURCE_WINDOW_MS = 24 * 60 * 60 * 1000;
/** milliseconds between two maintenance periods */
export const MAINTENANCE_MS = 6 * 60 * 60 * 1000;

/** Network-wide totals that only shape getaccountresource. */
export const TOTAL_NET_LIMIT = 43_200_000_000n;
export const TOTAL_NET_WEIGHT = 27_000_000_000n;
export const TOTAL_ENERGY_LIMIT = 180_000_000_000n;
export const TOTAL_ENERGY_WEIGHT = 19_000_000_000n;

/** The getchainparameters list; a value of 0 is printed without `value`. */
export const CHAIN_PARAMETERS: readonly (readonly [key: string, value: bigint])[] = [
  ["getMaintenanceTimeInterval", BigInt(MAINTENANCE_MS)],
  ["getAccountUpgradeCost", 9_999_000_000n],
  ["getCreateAccountFee", NEW_ACCOUNT_BANDWIDTH_FEE],
  ["getTransactionFee", BANDWIDTH_PRICE],
  ["getAssetIssueFee", 1_024_000_000n],
  ["getWitnessPayPerBlock", 8_000_000n],
  ["getWitnessStandbyAllowance", 0n],
  ["getCreateNewAccountFeeInSystemContract", NEW_ACCOUNT_FEE],
  ["getCreateNewAccountBandwidthRate", 1n],
  ["getAllowCreationOfContracts", 1n],
  ["getRemoveThePowerOfTheGr", -1n],
  ["getEnergyFee", ENERGY_PRICE],
  ["getExchangeCreateFee", 1_024_000_000n],
  ["getMaxCpuTimeOfOneTx", 80n],
  ["getAllowUpdateAccountName", 0n],
  ["getAllowSameTokenName", 1n],
  ["getAllowDelegateResource", 1n],
  ["getTotalEnergyLimit", TOTAL_ENERGY_LIMIT],
  ["getAllowTvmTransferTrc10", 1n],
  ["getTotalEnergyCurrentLimit", TOTAL_ENERGY_LIMIT],
  ["getAllowMultiSign", 1n],
  ["getAllowAdaptiveEnergy", 0n],
  ["getUpdateAccountPermissionFee", 100_000_000n],
  ["getMultiSignFee", 1_000_000n],
  ["getAllowAccountStateRoot", 0n],
  ["getAllowProtoFilterNum", 0n],
  ["getAllowTvmConstantinople", 1n],
  ["getAllowTvmSolidity059", 1n],
  ["getAllowTvmIstanbul", 1n],
  ["getAllowShieldedTRC20Transaction", 0n],
  ["getForbidTransferToContract", 1n],
  ["getAllowMarketTransaction", 0n],
  ["getMaxFeeLimit", MAX_FEE_LIMIT],
  ["getMemoFee", MEMO_FEE],
  ["getAllowTvmCompatibleEvm", 1n],
  ["getFreeNetLimit", BigInt(FREE_BANDWIDTH)],
  ["getTotalNetLimit", TOTAL_NET_LIMIT],
  ["getUnfreezeDelayDays", 14n],
  ["getAllowDynamicEnergy", 1n],
  ["getDynamicEnergyThreshold", 5_000_000_000n],
  ["getDynamicEnergyIncreaseFactor", 2_000n],
  ["getDynamicEnergyMaxFactor", 34_000n],
  ["getMaxDelegateLockPeriod", 864_000n],
];
