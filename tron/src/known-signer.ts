import { secp256k1 } from "@noble/curves/secp256k1.js";
import { hexToBytes } from "@noble/hashes/utils.js";
import { addressHexFromPoint } from "./address.ts";
import { generatorTable } from "./generator-multiples.ts";
import { addHalves, type CurvePoint, makeMultiplesTable, type Term } from "./multiples-table.ts";
import { readSignature, recoverPoint } from "./signature.ts";

const { Point } = secp256k1;
const { Fn } = Point;

const BYTES = 32;
/** Places of the digits of four bits. */
const PLACES = 64;
const KEY_DIGIT_BITS = 4;
/** How many points are left of each sum when the rest is added one by one, which then costs less than a division. */
const REST = 2;

/**
 * A key that signed before, whose next signatures are checked in a quarter of the time that recovering the key takes.
 * It says yes to exactly the signatures that `recoverSigner` reads as its own: the point that the recovery starts from
 * is computed back from the key and compared with both of its coordinates.
 */
export class KnownSigner {
  /** hex */
  readonly address: string;
  readonly #point: CurvePoint;
  #table: readonly Term[] | undefined;

  private constructor(point: CurvePoint) {
    this.#point = point;
    this.address = addressHexFromPoint(point.toBytes(false));
  }

  /** Whose key made a signature over a 32-byte hash; undefined when none can be recovered. */
  static recover(hashHex: string, signatureHex: string): KnownSigner | undefined {
    const point = recoverPoint(hashHex, signatureHex);
    return point && new KnownSigner(point);
  }

  /** Whether this key made the signature. False where the recovery id is 2 or 3, which an r of 2^-128 of all has. */
  signed(hashHex: string, signatureHex: string): boolean {
    const signature = readSignature(signatureHex);
    if (signature === undefined || (signature.recovery ?? 2) > 1) return false;
    const hash = hexToBytes(hashHex);
    if (hash.length !== BYTES) return false;
    const inverse = Fn.inv(signature.s);
    const ofHash = Fn.create(Fn.create(BigInt(`0x${hashHex}`)) * inverse);
    const start = this.#sum(ofHash, Fn.create(signature.r * inverse)).toAffine();
    return start.x === signature.r && Number(start.y & 1n) === signature.recovery;
  }

  /** a·G + b·P. The terms of G and of P meet in the last additions only: how the two are related nobody knows. */
  #sum(a: bigint, b: bigint): CurvePoint {
    this.#table ??= makeMultiplesTable(this.#point, KEY_DIGIT_BITS);
    const [keyTable, baseTable] = [this.#table, generatorTable()];
    const ofKey = addHalves(
      Array.from(hexOf(b), (digit, at) => keyTable[Number.parseInt(digit, 16) * PLACES + at]),
    );
    const ofBase = Array.from(Buffer.from(hexOf(a), "hex"), (byte, at) => baseTable[byte * BYTES + at]);
    let terms = ofBase.flatMap((term, at) => [term, ofKey[at]]);
    while (terms.length > 2 * REST) terms = addHalves(terms);
    return terms.reduce(
      (sum, term) => (term === undefined ? sum : sum.add(Point.fromAffine(term))),
      Point.ZERO,
    );
  }
}

function hexOf(scalar: bigint): string {
  return scalar.toString(16).padStart(2 * BYTES, "0");
}
