import { describe, expect, test } from 'vitest';
import type { ExecutionFacts } from '../context.ts';
import { aTaskContext } from '../testing/testContext.ts';
import { cutText, summarize } from './summary.ts';
import { summaryHtml, summaryText } from './summaryMail.ts';

const facts: ExecutionFacts = {
  id: 'execution1',
  tenantId: 'main',
  namespace: 'company.team',
  flowId: 'orders',
  state: 'FAILED',
  startDate: '2026-01-31T08:00:00.000Z',
  labels: [],
  link: 'https://example.com/main/executions/company.team/orders/execution1?a=1&b=2',
  failedTaskId: 'load',
};

const contextWith = (found: ExecutionFacts | undefined, trigger?: Record<string, unknown>) =>
  aTaskContext({ actions: { findExecution: async () => found }, ...(trigger && { variables: { trigger } }) });

describe('the summary of an execution', () => {
  test('counts a running execution until now', async () => {
    const summary = await summarize(contextWith(facts), {}, Date.parse('2026-02-01T09:02:03.004Z'));
    expect(summary).toMatchObject({
      executionId: 'execution1',
      outcome: 'failure',
      duration: '25:02:03.004',
      sentence: 'Failed on task `load` after 25:02:03.004',
      title: '[company.team] orders ➛ FAILED',
    });
  });

  test('is of the current execution unless another one is named', async () => {
    const asked: string[] = [];
    const context = aTaskContext({
      actions: {
        findExecution: async (id) => {
          asked.push(id);
          return facts;
        },
      },
    });
    await summarize(context, {});
    await summarize(context, { executionId: 'other' });
    expect(asked).toEqual(['execution1', 'other']);
  });

  test('has the state that a Flow trigger reacted to', async () => {
    const trigger = { executionId: 'other', namespace: 'n', flowId: 'f', state: 'WARNING' };
    const summary = await summarize(contextWith(facts, trigger), { executionId: 'other' });
    expect(summary).toMatchObject({ state: 'WARNING', flowId: 'orders' });
  });

  test('is made of what the trigger knows when the execution was deleted', async () => {
    const trigger = { executionId: 'other', namespace: 'n', flowId: 'f', state: 'FAILED' };
    const summary = await summarize(contextWith(undefined, trigger), { executionId: 'other' });
    expect(summary).toMatchObject({ executionId: 'other', namespace: 'n', flowId: 'f', state: 'FAILED' });
  });

  test('fails with a hint when there is no such execution', async () => {
    await expect(summarize(contextWith(undefined), { executionId: 'gone' })).rejects.toThrow(
      'Execution "gone" was not found. Set `executionId`',
    );
  });
});

test('a mail shows every fact as HTML and as text, and no markup of a value is read', async () => {
  const summary = await summarize(contextWith(facts), {
    customMessage: 'First line\n<script>alert(1)</script>',
    customFields: { 'Rows & more': '<b>3</b>' },
  });
  const html = summaryHtml(summary);
  expect(html).toContain(
    'href="https://example.com/main/executions/company.team/orders/execution1?a=1&amp;b=2"',
  );
  expect(html).toContain('First line<br>&lt;script&gt;');
  expect(html).toContain('Rows &amp; more');
  expect(html).not.toContain('<b>3</b>');
  expect(html).toContain('#c0362c');
  const text = summaryText(summary);
  for (const fact of ['First line', 'Failed on task "load"', 'Rows & more: <b>3</b>', facts.link!])
    expect(text).toContain(fact);
});

test('a text is cut without half a character', () => {
  expect(cutText('abc', 3)).toBe('abc');
  expect(cutText('ab😀cd', 4)).toBe('ab…');
});
