/**
 * Each cause with the alerts that follow from it, by name. While the condition of the cause holds, they send no message.
 * `DaricNotReady:scanner` is that alert for one check.
 */
export const consequences: Readonly<Record<string, readonly string[]>> = {
  DaricProcessDown: ["DaricNoLeader", "DaricNoRate"],
  DaricNoLeader: ["DaricNotReady:scanner"],
  DaricNoNode: [
    "DaricNotReady:node",
    "DaricNotReady:scanner",
    "DaricNotReady:quorum",
    "DaricChainFrozen",
    "DaricScannerFrozen",
    "DaricScanLate",
    "DaricSolidLate",
    "DaricDepositsStuck",
    "DaricNodeFailing",
    "DaricQuorumShort",
  ],
  DaricChainFrozen: ["DaricNotReady:scanner", "DaricScanLate", "DaricSolidLate"],
  DaricScanHalted: [
    "DaricNotReady:halt",
    "DaricNotReady:scanner",
    "DaricScannerFrozen",
    "DaricScanLate",
    "DaricSolidLate",
  ],
  DaricScannerBlocked: ["DaricNotReady:scanner", "DaricScannerFrozen", "DaricScanLate", "DaricSolidLate"],
  DaricScannerFrozen: ["DaricNotReady:scanner", "DaricScanLate", "DaricSolidLate"],
  DaricScanLate: ["DaricNotReady:scanner", "DaricSolidLate"],
  DaricSolidLate: ["DaricNotReady:scanner", "DaricDepositsStuck"],
  DaricQuorumShort: ["DaricNotReady:quorum"],
  DaricNoRate: ["DaricNotReady:rates"],
  DaricAddressesOut: ["DaricNotReady:addresses"],
  DaricSignerSilent: ["DaricNotReady:settlement", "DaricSweepsStuck"],
};
