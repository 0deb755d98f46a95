import { expect, it } from 'vitest';
import { ratiosOf } from './Figures.tsx';

const counts = { SUCCESS: 5, WARNING: 2, CANCELLED: 1, FAILED: 1, KILLED: 0, RETRIED: 1, RUNNING: 40 };

it('S2-4.19 the success ratio counts success, warning and cancelled over what has ended', () => {
  expect(ratiosOf(counts).success).toBeCloseTo(80);
});

it('S2-4.20 the failure ratio counts failed, killed and retried over the same', () => {
  expect(ratiosOf(counts).failure).toBeCloseTo(20);
});

it('S2-9.4 what still runs counts for neither', () => {
  const seen = { SUCCESS: 6, WARNING: 1, CANCELLED: 1, FAILED: 1, RETRIED: 1, RUNNING: 5 };
  const { success, failure } = ratiosOf(seen);
  expect([success?.toFixed(2), failure?.toFixed(2)]).toEqual(['80.00', '20.00']);
});

it('without anything that has ended there is no ratio', () => {
  expect(ratiosOf({ RUNNING: 3 })).toMatchObject({ ended: 0, success: undefined, failure: undefined });
});
