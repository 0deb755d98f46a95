import { MantineProvider } from '@mantine/core';
import type { Issue } from '@millrace/contract';
import { QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { createQueryClient } from '../../../api/queryClient.ts';
import { useTextHistory } from '../../../state/useTextHistory.ts';
import { flowSchema } from '../../../testing/flowSchema.ts';
import { theme } from '../../../theme/theme.ts';
import { ConfirmHost } from '../../../ui/confirm/ConfirmHost.tsx';
import { NoCodeEditor, type NoCodeEditorProps } from '../flow/NoCodeEditor.tsx';

type Options = Partial<Pick<NoCodeEditorProps, 'isSaved' | 'readOnly' | 'shown'>> & {
  readonly issues?: Issue[];
  /** Instead of the schema of the server. */
  readonly schema?: Record<string, unknown>;
};

/** The forms of a flow over a text that changes with them. */
export function renderForm(initial: string, { issues = [], schema = flowSchema(), ...more }: Options = {}) {
  let current = initial;
  let write: (text: string) => void = () => {};
  function Host() {
    const [source, setSource] = useState(initial);
    const history = useTextHistory(source, setSource);
    const [element, setElement] = useState<string>();
    current = source;
    write = setSource;
    return (
      <NoCodeEditor
        source={source}
        history={history}
        issues={issues}
        schema={{ data: schema, error: null, refetch: () => {}, readType: async () => undefined }}
        element={element}
        onElement={setElement}
        {...more}
      />
    );
  }
  const view = render(
    <QueryClientProvider client={createQueryClient()}>
      <MantineProvider theme={theme}>
        <Host />
        <ConfirmHost />
      </MantineProvider>
    </QueryClientProvider>,
  );
  return { ...view, user: userEvent.setup(), source: () => current, write: (text: string) => write(text) };
}

/** A flow with one property of a made-up type, for rules that no type of the product happens to use. */
export const schemaWith = (properties: Record<string, unknown>, required: string[] = []) => ({
  definitions: {
    Task: {
      type: 'object',
      required: ['id', 'type'],
      properties: { id: { type: 'string' }, type: { enum: ['demo.Task'] } },
      allOf: [
        { if: { properties: { type: { const: 'demo.Task' } } }, then: { $ref: '#/definitions/demo.Task' } },
      ],
    },
    'demo.Task': {
      type: 'object',
      title: 'A demonstration',
      properties: { id: { type: 'string' }, type: {}, ...properties },
      required,
    },
    Flow: {
      type: 'object',
      properties: {
        id: { type: 'string' },
        namespace: { type: 'string' },
        tasks: { type: 'array', items: { $ref: '#/definitions/Task' } },
      },
      required: ['id', 'namespace', 'tasks'],
    },
  },
});
