import { expect, it } from 'vitest';
import { parseFlow } from './parseFlow.ts';
import { isSameSource, setDisabled, stripRevision } from './revision.ts';

it.each([
  ['id: a\nrevision: 3\ntasks: []\n', 'id: a\ntasks: []\n'],
  ['revision: 3 # mine\nid: a\n', 'id: a\n'],
  ['id: a\nrevision: 3', 'id: a\n'],
  ['id: a\ntasks:\n  - revision: 3\n', 'id: a\ntasks:\n  - revision: 3\n'],
])('[E160] %j is stored as %j', (source, stored) => {
  expect(stripRevision(source)).toBe(stored);
});

it('[E161] texts are the same whatever revision they carry, but not with another comment', () => {
  expect(isSameSource('id: a\nrevision: 3\n', 'id: a\n')).toBe(true);
  expect(isSameSource('id: a # x\n', 'id: a\n')).toBe(false);
});

it.each([
  ['id: a\ndisabled: false # off?\ntasks: []\n', true, 'id: a\ndisabled: true # off?\ntasks: []\n'],
  ['id: a\ndisabled: true\n', false, 'id: a\ndisabled: false\n'],
  ['id: a\ndisabled:\nx: 1\n', true, 'id: a\ndisabled: true\nx: 1\n'],
  ['id: a', true, 'id: a\ndisabled: true\n'],
  ['id: a\n', false, 'id: a\n'],
  [
    'id: a\ntasks:\n  - id: t\n    disabled: true\n',
    true,
    'id: a\ntasks:\n  - id: t\n    disabled: true\ndisabled: true\n',
  ],
])('[E162] %j with disabled %s is %j', (source, disabled, expected) => {
  expect(setDisabled(source, disabled)).toBe(expected);
});

it('[E162] works on a document in braces too', () => {
  const source = '# c\n{ id: a, namespace: n, tasks: [ { id: t, type: x.Y } ] }\n';
  expect(parseFlow(setDisabled(source, true)).flow?.disabled).toBe(true);
});
