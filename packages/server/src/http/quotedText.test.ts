import { describe, expect, it } from 'vitest';
import { sharedServer, yaml } from '../testing/aServer.ts';
import { sqlite } from '../testing/databases.ts';

/** Error messages quote the user's text exactly as written. */
const pieces = [
  ',',
  ', ',
  ';',
  '; ',
  ':',
  "'",
  '"',
  '\\',
  '%',
  '&',
  '<b>',
  '`',
  '|',
  'a',
  'Ä',
  '✓',
  '  ',
  '{}',
  '0',
];

/** The same texts in every run. */
function aRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) & 0x7fffffff;
    return state / 0x7fffffff;
  };
}

const random = aRandom(16);
const texts = Array.from({ length: 60 }, () => {
  const length = 2 + Math.floor(random() * 6);
  return `x,${Array.from({ length }, () => pieces[Math.floor(random() * pieces.length)]).join('')}x`;
});

const quoted = (text: string) => JSON.stringify(text);
const head = 'id: quotes\nnamespace: company.team\n';
const log = 'tasks:\n  - id: log\n    type: core.log.Log\n    message: hello\n';
const flows: Record<string, (text: string) => string> = {
  'the type of a task': (text) => `${head}tasks:\n  - id: one\n    type: ${quoted(text)}\n`,
  'the id of a flow': (text) => `id: ${quoted(text)}\nnamespace: company.team\n${log}`,
  'the name of a property': (text) => `${head}${log}    ${quoted(text)}: 1\n`,
  'the type of an input': (text) => `${head}inputs:\n  - id: one\n    type: ${quoted(text)}\n${log}`,
  'a dependency': (text) =>
    `${head}inputs:\n  - id: one\n    type: STRING\n    dependsOn:\n      inputs: [${quoted(text)}]\n${log}`,
  'a schedule': (text) =>
    `${head}${log}triggers:\n  - id: daily\n    type: core.trigger.Schedule\n    cron: ${quoted(text)}\n`,
};

describe('messages', () => {
  const shared = sharedServer(sqlite);

  it.each(Object.entries(flows))(
    'quote %s as it was written',
    async (_, source) => {
      for (const text of texts) {
        const { body } = await shared().call('POST', '/flows/validate', yaml(source(text)));
        const [{ constraints = '', violations = [] } = {}] = body as unknown as {
          constraints?: string;
          violations?: { path: string; message: string }[];
        }[];
        expect(constraints).toContain(text);
        const told = violations.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
        expect(told.join(', ')).toBe(constraints);
        expect(told.some((one) => one.includes(text))).toBe(true);
        const saved = await shared().call('POST', '/flows', yaml(source(text)));
        expect(saved.status).toBe(422);
        expect(saved.body.message).toContain(text);
      }
    },
    120_000,
  );

  it('quote what was asked for as it was written', async () => {
    for (const text of texts.slice(0, 30)) {
      const segment = encodeURIComponent(text);
      const answers = await Promise.all([
        shared().call('PUT', `/namespaces/company.team/kv/${segment}`, {
          payload: '1',
          headers: { 'content-type': 'text/plain' },
        }),
        shared().call('GET', `/executions/${segment}`),
        shared().call('GET', `/flows/company.team/${segment}`),
        shared().call('GET', `/dashboards/${segment}`),
        shared().call('POST', '/dashboards/validate', yaml(`id: ${quoted(text)}\ntitle: T\ncharts: []\n`)),
      ]);
      expect(
        answers.map(({ body }) => JSON.stringify(body).includes(JSON.stringify(text).slice(1, -1))),
      ).toEqual(answers.map(() => true));
    }
  }, 120_000);
});
