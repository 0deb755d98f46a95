import { playgroundKind } from '@millrace/contract';
import { expect, it } from 'vitest';
import { bucketSeconds, Counts, maxFlows } from './counts.ts';

it('counts by flow and state, and how long it took in buckets that add up', () => {
  const counts = new Counts();
  const flow = { namespace: 'shop', flowId: 'orders' };
  counts.executionEnded(flow, 'SUCCESS', 40);
  counts.executionEnded(flow, 'SUCCESS', 7_000);
  counts.executionEnded(flow, 'FAILED', 90_000_000);
  const [good, bad] = counts.executions();
  expect(good).toMatchObject({
    labels: { namespace_id: 'shop', flow_id: 'orders', state: 'SUCCESS' },
    count: 2,
    sumSeconds: 7.04,
  });
  expect(good?.atMost).toEqual(bucketSeconds.map((limit) => (limit < 0.05 ? 0 : limit < 10 ? 1 : 2)));
  // Longer than the last bucket: only the count knows it.
  expect([bad?.count, bad?.atMost.at(-1)]).toEqual([1, 0]);
});

it('has no more flows than it may have: the others share one series', () => {
  const counts = new Counts();
  for (let i = 0; i < maxFlows + 50; i++) counts.executionStarted({ namespace: 'many', flowId: `f${i}` });
  counts.executionStarted({ namespace: 'many', flowId: 'f0' });
  const series = counts.started();
  expect(series).toHaveLength(maxFlows + 1);
  expect(series.find(({ labels }) => labels.flow_id === 'other')?.count).toBe(50);
  expect(series.find(({ labels }) => labels.flow_id === 'f0')?.count).toBe(2);
});

it('counts no playground executions', () => {
  const counts = new Counts();
  const played = { namespace: 'a', flowId: 'f', kind: playgroundKind };
  counts.executionStarted(played);
  counts.attemptBegun(played);
  counts.attemptEnded(played, 'SUCCESS', 10);
  counts.executionEnded(played, 'SUCCESS', 10);
  const all = [counts.started(), counts.attempts(), counts.tasks(), counts.executions()];
  expect(all.flat()).toEqual([]);
});
