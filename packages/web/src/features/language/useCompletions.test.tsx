import { Combobox, MantineProvider } from '@mantine/core';
import type { Completion } from '@millrace/engine/language';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { heldBack } from '../../testing/heldBack.ts';
import { useCompletions } from './useCompletions.ts';

type Complete = (before: string) => Promise<readonly Completion[]>;

function Field({ complete }: { complete: Complete }) {
  const [text, onText] = useState('');
  const { field, found, combobox, look, stay, choose } = useCompletions({ text, onText, complete });
  return (
    <Combobox store={combobox} onOptionSubmit={choose}>
      <Combobox.Target withAriaAttributes={false}>
        <textarea
          ref={field}
          value={text}
          onSelect={stay}
          onChange={(event) => {
            onText(event.currentTarget.value);
            look();
          }}
        />
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Options>
          {found.map(({ label }) => (
            <Combobox.Option key={label} value={label}>
              {label}
            </Combobox.Option>
          ))}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}

const names = ['load', 'last', 'list'];
const offer = (before: string): Completion[] => {
  const begun = /\w*$/.exec(before)?.[0] ?? '';
  const kind = 'variable' as const;
  return names
    .filter((name) => name.startsWith(begun))
    .map((label) => ({ label, kind, insert: `${label}($0)`, from: before.length - begun.length }));
};

/** A service that responds at once to the first requests, and to the others when it is released. */
function open(prompt: number) {
  const { until, release } = heldBack();
  let requests = 0;
  const complete: Complete = async (before) => {
    requests += 1;
    if (requests > prompt) await until;
    return offer(before);
  };
  render(
    <MantineProvider env="test">
      <Field complete={complete} />
    </MantineProvider>,
  );
  const field = screen.getByRole<HTMLTextAreaElement>('textbox');
  const options = () =>
    screen.queryAllByRole('option', { hidden: true }).map(({ textContent }) => textContent);
  return { user: userEvent.setup(), field, options, release };
}

it('Enter takes a completion that fits the text as typed, also before the service has responded', async () => {
  const { user, field, options } = open(1);
  await user.type(field, 'l');
  await waitFor(() => expect(options()).toEqual(names));
  await user.type(field, 'i');
  expect(options()).toEqual(['list']);
  await user.keyboard('{Enter}');
  expect(field.value).toBe('list()');
  expect(field.selectionStart).toBe('list('.length);
});

it('Enter is a line break while no completion fits the text as typed', async () => {
  const { user, field, options, release } = open(1);
  await user.type(field, 'l');
  await waitFor(() => expect(options()).toEqual(names));
  await user.type(field, 'x{Enter}');
  expect(field.value).toBe('lx\n');
  release();
});

it('offers nothing more once the cursor is elsewhere', async () => {
  const { user, field, options } = open(2);
  await user.type(field, 'la');
  await waitFor(() => expect(options()).toEqual(['last']));
  field.setSelectionRange(1, 1);
  await user.keyboard('{ArrowLeft}');
  await waitFor(() => expect(options()).toEqual([]));
  expect(field.value).toBe('la');
});
