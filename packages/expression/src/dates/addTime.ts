import { ExpressionError } from '../error.ts';
import { plusMonths } from './calendar.ts';
import { ZonedDateTime } from './temporal.ts';

/** Units up to half a day are a length of time; from a day on they follow the calendar of the zone. */
const nanos = new Map<string, bigint>([
  ['NANOS', 1n],
  ['MICROS', 1_000n],
  ['MILLIS', 1_000_000n],
  ['SECONDS', 1_000_000_000n],
  ['MINUTES', 60_000_000_000n],
  ['HOURS', 3_600_000_000_000n],
  ['HALF_DAYS', 43_200_000_000_000n],
]);
const days = new Map([
  ['DAYS', 1],
  ['WEEKS', 7],
]);
const months = new Map([
  ['MONTHS', 1],
  ['YEARS', 12],
  ['DECADES', 120],
  ['CENTURIES', 1200],
  ['MILLENNIA', 12_000],
]);

export function addTime(moment: ZonedDateTime, amount: number, unit: string): ZonedDateTime {
  const length = nanos.get(unit);
  if (length !== undefined) return addNanos(moment, BigInt(amount) * length);
  const day = Math.floor(moment.localSecond / 86_400);
  const monthCount = months.get(unit);
  const dayCount = days.get(unit);
  if (monthCount === undefined && dayCount === undefined) {
    throw new ExpressionError(
      `Unknown unit '${unit}': use ${[...nanos.keys(), ...days.keys(), ...months.keys()].join(', ')}`,
    );
  }
  const target =
    monthCount === undefined ? day + amount * (dayCount ?? 0) : plusMonths(day, amount * monthCount);
  const local = inRange(target * 86_400 + (moment.localSecond - day * 86_400));
  return ZonedDateTime.ofLocal(local, moment.nano, moment.zone, moment.offset);
}

function addNanos(moment: ZonedDateTime, added: bigint): ZonedDateTime {
  const total = BigInt(moment.epochSecond) * 1_000_000_000n + BigInt(moment.nano) + added;
  const nano = ((total % 1_000_000_000n) + 1_000_000_000n) % 1_000_000_000n;
  return new ZonedDateTime(inRange(Number((total - nano) / 1_000_000_000n)), Number(nano), moment.zone);
}

function inRange(second: number): number {
  if (!(Math.abs(second) < 3.1e16)) throw new ExpressionError('The date is out of range');
  return second;
}
