import type { Input } from '@millrace/contract';
import { describe, expect, it } from 'vitest';
import {
  applyValues,
  deleteInputSet,
  keepLastInputs,
  keptValues,
  parseLinkedValues,
  readInputSets,
  saveInputSet,
} from './InputSetMenu.tsx';

const flow = { namespace: 'shop.orders', id: 'nightly' };
const inputs: Input[] = [
  { id: 'day', type: 'DATE' },
  { id: 'token', type: 'SECRET' },
  { id: 'report', type: 'FILE' },
];

describe('input sets', () => {
  it('are kept per flow, newest first; the same label replaces', () => {
    saveInputSet(flow, 'monday', { day: '2026-03-02' });
    saveInputSet(flow, 'sunday', { day: '2026-03-01' });
    saveInputSet(flow, 'monday', { day: '2026-03-09' });
    keepLastInputs(flow, { day: '2026-03-03' });
    expect(readInputSets(flow)).toEqual({
      last: { day: '2026-03-03' },
      sets: [
        { label: 'monday', values: { day: '2026-03-09' } },
        { label: 'sunday', values: { day: '2026-03-01' } },
      ],
    });
    deleteInputSet(flow, 'monday');
    expect(readInputSets(flow).sets.map(({ label }) => label)).toEqual(['sunday']);
    expect(readInputSets({ ...flow, id: 'other' }).sets).toEqual([]);
  });

  it('never hold secrets or files', () => {
    const file = new File(['x'], 'report.csv');
    expect(keptValues(inputs, { day: '2026-03-01', token: 'hush', report: file })).toEqual({
      day: '2026-03-01',
    });
  });

  it('fill only inputs that the flow has, and no secret', () => {
    const given = { day: '2026-03-01', token: 'from a link', gone: 'x' };
    expect(applyValues(inputs, { token: 'typed' }, given)).toEqual({ day: '2026-03-01', token: 'typed' });
  });

  it('survive a value that cannot be read', () => {
    localStorage.setItem('inputs:/shop.orders/nightly', 'no JSON');
    expect(readInputSets(flow)).toEqual({ sets: [] });
    expect(parseLinkedValues('no JSON')).toBeUndefined();
    expect(parseLinkedValues('{"a":{"b":1}}')).toBeUndefined();
    expect(parseLinkedValues('{"a":"b","n":1}')).toEqual({ a: 'b', n: 1 });
  });
});
