import { MAINTENANCE_MS } from "./limits.ts";
import type { StateReader } from "./state.ts";

/**
 * The first getchainparameters list, in java-tron's order with mainnet's values of 2026. The current values are in
 * the state, since `/devchain/config` changes some. Prices and fees are sun, limits bytes or energy; a value of 0
 * is printed without `value`.
 */
const FIRST_PARAMETERS = {
  getMaintenanceTimeInterval: BigInt(MAINTENANCE_MS),
  getAccountUpgradeCost: 9_999_000_000n,
  /** charged as bandwidth when a transfer activates its receiver and the stake is too small */
  getCreateAccountFee: 100_000n,
  /** per byte */
  getTransactionFee: 1_000n,
  getAssetIssueFee: 1_024_000_000n,
  getWitnessPayPerBlock: 8_000_000n,
  getWitnessStandbyAllowance: 0n,
  /** burned when a transfer activates its receiver */
  getCreateNewAccountFeeInSystemContract: 1_000_000n,
  getCreateNewAccountBandwidthRate: 1n,
  getAllowCreationOfContracts: 1n,
  getRemoveThePowerOfTheGr: -1n,
  /** per unit */
  getEnergyFee: 100n,
  getExchangeCreateFee: 1_024_000_000n,
  getMaxCpuTimeOfOneTx: 80n,
  getAllowUpdateAccountName: 0n,
  getAllowSameTokenName: 1n,
  getAllowDelegateResource: 1n,
  getTotalEnergyLimit: 180_000_000_000n,
  getAllowTvmTransferTrc10: 1n,
  getTotalEnergyCurrentLimit: 180_000_000_000n,
  getAllowMultiSign: 1n,
  getAllowAdaptiveEnergy: 0n,
  getUpdateAccountPermissionFee: 100_000_000n,
  getMultiSignFee: 1_000_000n,
  getAllowAccountStateRoot: 0n,
  getAllowProtoFilterNum: 0n,
  getAllowTvmConstantinople: 1n,
  getAllowTvmSolidity059: 1n,
  getAllowTvmIstanbul: 1n,
  getAllowShieldedTRC20Transaction: 0n,
  getForbidTransferToContract: 1n,
  getAllowMarketTransaction: 0n,
  getMaxFeeLimit: 15_000_000_000n,
  getAllowNewResourceModel: 0n,
  getAllowTvmFreeze: 1n,
  getAllowTvmCompatibleEvm: 1n,
  getFreeNetLimit: 600n,
  getTotalNetLimit: 43_200_000_000n,
  getMemoFee: 1_000_000n,
  getAllowDelegateOptimization: 1n,
  getUnfreezeDelayDays: 14n,
  getAllowDynamicEnergy: 1n,
  getDynamicEnergyThreshold: 5_000_000_000n,
  getDynamicEnergyIncreaseFactor: 2_000n,
  getDynamicEnergyMaxFactor: 34_000n,
  getAllowCancelAllUnfreezeV2: 1n,
  /** blocks */
  getMaxDelegateLockPeriod: 864_000n,
} as const;

export type ParameterName = keyof typeof FIRST_PARAMETERS;

export const PARAMETER_NAMES = Object.keys(FIRST_PARAMETERS) as readonly ParameterName[];

export function chainParameter(state: StateReader, name: ParameterName): bigint {
  return state.slot(parameterSlot(name));
}

export function parameterSlot(name: ParameterName): string {
  return `parameter/${name}`;
}

export function firstParameters(): [slot: string, value: bigint][] {
  return PARAMETER_NAMES.map((name) => [parameterSlot(name), FIRST_PARAMETERS[name]]);
}
