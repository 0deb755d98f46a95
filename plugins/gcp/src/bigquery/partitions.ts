import { choice, TaskFailed, text } from '@millrace/plugin-kit';

const types = ['DAY', 'HOUR', 'MONTH', 'YEAR', 'RANGE'] as const;
type PartitionType = (typeof types)[number];

export const partitionRangeProperties = {
  partitionType: choice(types).describe('How the table is partitioned.'),
  from: text().describe('The first partition: a date, a date and time, or a number for `RANGE`.'),
  to: text().describe('The last partition, itself included.'),
};

interface Range {
  readonly partitionType: PartitionType;
  readonly from: string;
  readonly to: string;
}

/** How much of `2026-01-31T08` the id of a partition has, without its separators. */
const digits: Record<Exclude<PartitionType, 'RANGE'>, number> = { YEAR: 4, MONTH: 6, DAY: 8, HOUR: 10 };

/** The partitions of a range, without the partitions of null values and of unpartitioned rows. */
export function choosePartitions(ids: readonly string[], { partitionType, from, to }: Range): string[] {
  const key = keyOf(partitionType);
  const [first, last] = [key(from, 'from'), key(to, 'to')];
  const length = partitionType === 'RANGE' ? undefined : digits[partitionType];
  return ids.filter((id) => {
    if (!/^-?\d+$/.test(id) || (length !== undefined && id.length !== length)) return false;
    return Number(id) >= first && Number(id) <= last;
  });
}

function keyOf(type: PartitionType): (value: string, property: string) => number {
  return (value, property) => {
    const number = type === 'RANGE' ? Number(value) : dateKey(value, digits[type]);
    if (value.trim() === '' || !Number.isFinite(number))
      throw new TaskFailed(
        `"${property}" must be ${type === 'RANGE' ? 'a number' : 'a date such as 2026-01-31'}, got "${value}".`,
        { retry: false },
      );
    return number;
  };
}

/** A date that names too little for the partition starts at its beginning. */
function dateKey(value: string, length: number): number {
  const plain = /^(\d{4})(?:-(\d\d))?(?:-(\d\d))?(?:[T ](\d\d).*)?$/.exec(value.trim());
  if (!plain) return Number.NaN;
  const [, year = '', month = '01', day = '01', hour = '00'] = plain;
  return Number(`${year}${month}${day}${hour}`.slice(0, length));
}
