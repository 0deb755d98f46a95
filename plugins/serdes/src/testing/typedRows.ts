import { Decimal, Instant, LocalDate, LocalDateTime, LocalTime, Real } from '@millrace/expression';

/** Rows with every type that Avro and Parquet keep, nulls among them. */
export const typedRows: readonly Record<string, unknown>[] = [
  {
    id: 1,
    big: 9007199254740993n,
    ratio: 0.1,
    whole: new Real(10),
    price: new Decimal(123456789012345678901234567n, 5),
    name: 'Ünïcode 😀 "quoted"',
    ok: true,
    day: new LocalDate(-1),
    at: new Instant(1_600_000_000, 123_000_000),
    fine: new Instant(-1, 999_999_000),
    local: new LocalDateTime(1_600_000_000, 0),
    time: new LocalTime(3661, 500_000_000),
    bytes: Buffer.from([0, 1, 255]),
    tags: ['a', null, 'c'],
    nested: { x: 1, deep: [{ y: 'z' }, { y: null }] },
  },
  {
    id: -2,
    big: -9223372036854775808n,
    ratio: -1e300,
    whole: new Real(-0.5),
    price: new Decimal(-100000n, 5),
    name: 'x',
    ok: false,
    day: new LocalDate(20_000),
    at: new Instant(0, 0),
    fine: new Instant(0, 1000),
    local: new LocalDateTime(-1, 0),
    time: new LocalTime(0, 0),
    bytes: Buffer.from('héllo'),
    tags: [],
    nested: { x: null, deep: [] },
  },
  {
    id: 3,
    big: null,
    ratio: null,
    whole: null,
    price: null,
    name: null,
    ok: null,
    day: null,
    at: null,
    fine: null,
    local: null,
    time: null,
    bytes: null,
    tags: null,
    nested: null,
  },
];

/** Numbers that are integral come back as integers or doubles by their column, which these rows already have. */
export const normalized = (rows: readonly unknown[]): unknown[] => rows.map(plain);

function plain(value: unknown): unknown {
  if (value instanceof Real) return value.value;
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]));
}
