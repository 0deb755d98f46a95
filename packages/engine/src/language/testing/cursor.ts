import type { LanguageContext } from '../context.ts';
import { type FlowDocument, readDocument } from '../document.ts';
import type { TextEdit } from '../symbols.ts';

/** A text with a cursor, which is marked by ‸. */
export function atCursor(marked: string): { text: string; offset: number; document: FlowDocument } {
  const offset = marked.indexOf('‸');
  const text = marked.replace('‸', '');
  const document = readDocument(text, offset);
  if (!document) throw new Error('The text cannot be read, not even without the line of the cursor.');
  return { text, offset, document };
}

export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  return [...edits]
    .sort((a, b) => b.start - a.start)
    .reduce(
      (result, { start, end, text: inserted }) => result.slice(0, start) + inserted + result.slice(end),
      text,
    );
}

const text = { type: 'string' };

export const aContext: LanguageContext = {
  types: [
    {
      type: 'core.http.Request',
      names: ['core.http.Request', 'io.kestra.plugin.core.http.Request', 'io.kestra.plugin.fs.http.Request'],
      required: ['uri'],
      shape: {
        outputs: {
          type: 'object',
          properties: {
            body: { description: 'The body of the response.' },
            code: { type: 'integer' },
            request: { type: 'object', properties: { uri: text } },
          },
        },
      },
    },
    {
      type: 'core.debug.Return',
      names: ['core.debug.Return'],
      required: [],
      shape: { outputs: { type: 'object', properties: { value: text } } },
    },
    {
      type: 'core.trigger.Webhook',
      names: ['core.trigger.Webhook'],
      required: ['key'],
      shape: { outputs: { type: 'object', properties: { body: {}, headers: {} } } },
    },
  ],
  kvKeys: ['cursor', 'mode'],
  secrets: ['API_KEY', 'DB_PASSWORD'],
  files: ['/queries/orders.sql', '/scripts/run.py'],
  flows: [
    {
      namespace: 'company.data',
      id: 'load',
      inputs: [
        { id: 'day', type: 'DATE' },
        { id: 'full', type: 'BOOLEAN' },
      ],
    },
    { namespace: 'company.other', id: 'report', inputs: [] },
  ],
  workerGroups: ['gpu', 'on-premises'],
  labels: ['team', 'cost.center'],
  lastExecution: {
    id: 'exec1',
    variables: { outputs: { call: { body: { items: [1, 2] }, code: 200 } }, inputs: { day: '2026-01-01' } },
  },
};
