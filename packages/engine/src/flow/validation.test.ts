import { expect, it } from 'vitest';
import { type FlowLookups, splitSources, validateSource } from './validation.ts';

const lookups: FlowLookups = {
  lastRevision: async (_, id) => (id === 'known' ? 3 : undefined),
  findFlow: async ({ flowId }) => (flowId === 'gone' ? undefined : { disabled: flowId === 'off' }),
};
const task = 'tasks: [ { id: a, type: core.log.Log } ]\n';
const validate = (source: string) => validateSource(source, undefined, lookups);

it('[E165] documents are split at lines of three dashes, and only there', () => {
  expect(splitSources('---\nid: a\n---\nid: b\n')).toEqual(['id: a\n', 'id: b\n']);
  expect(splitSources('id: a\ndescription: |\n  ---\n  x --- y\n')).toHaveLength(1);
  expect(splitSources('')).toEqual(['']);
});

it('[E165] each document has its own answer', async () => {
  const answers = await validate(
    `id: a\nnamespace: n\n${task}---\nid: b c\nnamespace: n\n${task}---\nid: [\n`,
  );
  expect(answers).toMatchObject([
    { flow: 'a', namespace: 'n', index: 0, outdated: false },
    { flow: 'b c', index: 1, constraints: expect.stringMatching(/^id: "b c" is not valid/) },
    { index: 2, constraints: expect.stringMatching(/^yaml: .* at line 2 column 1$/) },
  ]);
  expect(answers[0]?.constraints).toBeUndefined();
});

it('[E166] errors are joined, those of the whole flow as one', async () => {
  const source = `id: a\nnamespace: n\nfoo: 1\n${task}triggers: [ { id: t, type: x.Y }, { id: t, type: x.Y } ]\nerrors: [ { id: a, type: core.log.Log } ]\n`;
  expect((await validate(source))[0]?.constraints).toMatch(
    /^foo: Unrecognized property "foo".*, Invalid Flow: Duplicate task id with name \[a\]; Duplicate trigger id with name \[t\]$/,
  );
});

it.each([
  ['known', 4, false],
  ['known', 3, true],
  ['known', 6, true],
  ['fresh', 1, false],
])('[E163] %s with revision %i is outdated: %s', async (id, revision, outdated) => {
  const [answer] = await validate(`id: ${id}\nnamespace: n\nrevision: ${revision}\n${task}`);
  expect(answer?.outdated).toBe(outdated);
});

it('[E164] calls of flows that are missing or disabled are warnings, unless the name is an expression', async () => {
  const call = (id: string, flowId: string) =>
    `  - { id: ${id}, type: core.flow.Subflow, namespace: n, flowId: "${flowId}" }\n`;
  const tasks = call('a', 'gone') + call('b', 'off') + call('c', 'fine') + call('d', '{{ x }}');
  expect((await validate(`id: f\nnamespace: n\ntasks:\n${tasks}`))[0]?.warnings).toEqual([
    'The subflow "n.gone" of task "a" does not exist',
    'The subflow "n.off" of task "b" is disabled',
  ]);
});

it('[E125] deprecations are paths, aliases are infos', async () => {
  const [answer] = await validate(
    `id: f\nnamespace: n\n${task}listeners: [ { tasks: [ { id: l, type: x.Y } ] } ]\n`,
  );
  expect(answer).toMatchObject({ deprecationPaths: ['listeners'] });
});
