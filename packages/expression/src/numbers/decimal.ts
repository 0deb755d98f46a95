/** An exact decimal number: `unscaled / 10^scale`. */
export class Decimal {
  readonly unscaled: bigint;
  readonly scale: number;

  constructor(unscaled: bigint, scale: number) {
    this.unscaled = unscaled;
    this.scale = scale;
  }

  static parse(text: string): Decimal | null {
    const match = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,4}))?$/.exec(text);
    if (!match) return null;
    const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
    if (whole === '' && fraction === '') return null;
    const unscaled = BigInt(whole + fraction) * (sign === '-' ? -1n : 1n);
    return new Decimal(unscaled, fraction.length - Number(exponent));
  }

  /** The exact value of a binary double, which can have many more digits than its shortest text. */
  static ofDouble(value: number): Decimal {
    let scale = 0;
    let numerator = value;
    while (!Number.isInteger(numerator) && scale < 1100) {
      numerator *= 2;
      scale++;
    }
    return new Decimal(BigInt(numerator) * 5n ** BigInt(scale), scale);
  }

  add(other: Decimal): Decimal {
    const scale = Math.max(this.scale, other.scale);
    return new Decimal(this.rescaled(scale) + other.rescaled(scale), scale);
  }

  subtract(other: Decimal): Decimal {
    return this.add(new Decimal(-other.unscaled, other.scale));
  }

  multiply(other: Decimal): Decimal {
    return new Decimal(this.unscaled * other.unscaled, this.scale + other.scale);
  }

  /** Quotient to 34 significant digits, half even, without trailing zeros beyond the natural scale. */
  divide(other: Decimal): Decimal {
    const preferred = this.scale - other.scale;
    const extra = Math.max(0, 36 + digitsOf(other.unscaled) - digitsOf(this.unscaled));
    const quotient = new Decimal((this.unscaled * 10n ** BigInt(extra)) / other.unscaled, preferred + extra);
    const excess = digitsOf(quotient.unscaled) - 34;
    const rounded = excess > 0 ? quotient.round(quotient.scale - excess) : quotient;
    return rounded.stripZeros(preferred);
  }

  remainder(other: Decimal): Decimal {
    const scale = Math.max(this.scale, other.scale);
    return new Decimal(this.rescaled(scale) % other.rescaled(scale), scale);
  }

  compare(other: Decimal): number {
    const scale = Math.max(this.scale, other.scale);
    const difference = this.rescaled(scale) - other.rescaled(scale);
    return difference < 0n ? -1 : difference > 0n ? 1 : 0;
  }

  /** Half-even rounding to `scale` digits after the point (negative: before it). */
  round(scale: number): Decimal {
    if (scale >= this.scale) return new Decimal(this.rescaled(scale), scale);
    const divisor = 10n ** BigInt(this.scale - scale);
    let quotient = this.unscaled / divisor;
    const twice = (this.unscaled % divisor) * 2n;
    const size = twice < 0n ? -twice : twice;
    if (size > divisor || (size === divisor && quotient % 2n !== 0n))
      quotient += this.unscaled < 0n ? -1n : 1n;
    return new Decimal(quotient, scale);
  }

  stripZeros(minimumScale: number): Decimal {
    let { unscaled, scale } = this;
    while (scale > minimumScale && unscaled % 10n === 0n) {
      unscaled /= 10n;
      scale--;
    }
    return new Decimal(unscaled, scale);
  }

  rescaled(scale: number): bigint {
    return this.unscaled * 10n ** BigInt(scale - this.scale);
  }

  toNumber(): number {
    return Number(`${this.unscaled}e${-this.scale}`);
  }

  /** Plain notation, never an exponent. */
  toString(): string {
    if (this.scale <= 0) return String(this.unscaled * 10n ** BigInt(-this.scale));
    const negative = this.unscaled < 0n;
    const digits = String(negative ? -this.unscaled : this.unscaled).padStart(this.scale + 1, '0');
    const cut = digits.length - this.scale;
    return `${negative ? '-' : ''}${digits.slice(0, cut)}.${digits.slice(cut)}`;
  }
}

function digitsOf(value: bigint): number {
  return String(value < 0n ? -value : value).length;
}
