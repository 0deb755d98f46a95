import { expect, it } from 'vitest';
import { actionsIn, marksAfter, primaryActionIn, statusesAfter } from './executionActions.ts';

const ended = ['replay', 'changeStatus', 'setLabels', 'delete'];

it.each([
  ['SUCCESS', ended],
  ['FAILED', ['restart', ...ended]],
  ['KILLED', ended],
  ['RUNNING', ['pause', 'forceRun', 'kill', 'delete']],
  ['PAUSED', ['resume', 'forceRun', 'kill', 'delete']],
  ['QUEUED', ['unqueue', 'forceRun', 'kill', 'delete']],
  ['CREATED', ['forceRun', 'kill', 'delete']],
  ['KILLING', ['kill', 'delete']],
] as const)('an execution that is %s offers what its state allows', (state, offered) => {
  expect(actionsIn(state)).toEqual(offered);
  expect(primaryActionIn(state)).toBe(state === 'PAUSED' ? 'resume' : undefined);
});

it('S2-4.4 an execution that has ended may take any other end', () => {
  expect(statusesAfter('SUCCESS')).toEqual(['WARNING', 'FAILED', 'CANCELLED']);
  expect(statusesAfter('KILLED')).toEqual(['SUCCESS', 'WARNING', 'FAILED', 'CANCELLED']);
});

it('S2-4.5 a paused task run resumes or fails; an ended one gets another end state', () => {
  expect(marksAfter('PAUSED')).toEqual(['FAILED', 'RUNNING']);
  expect(marksAfter('FAILED')).toEqual(['SUCCESS', 'WARNING']);
});
