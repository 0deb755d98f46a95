import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { renderForm, schemaWith } from '../testing/renderForm.tsx';
import { fromClock, toClock } from './DurationWidget.tsx';

const flowWith = (properties: string) => `id: f
namespace: n
tasks:
  - id: one
    type: demo.Task
${properties}`;

/** The form of a task with one made-up property. */
async function formOf(schema: unknown, written = '', { required = false } = {}) {
  const view = renderForm(flowWith(written), {
    schema: schemaWith({ it: schema }, required ? ['it'] : []),
  });
  await view.user.click(screen.getByLabelText('Edit one'));
  const closed = screen.queryByRole('button', { name: '1 optional property', expanded: false });
  if (closed) await view.user.click(closed);
  const from = () => view.source().indexOf('    it:');
  return { ...view, written: () => (from() === -1 ? undefined : view.source().slice(from())) };
}

describe('numbers', () => {
  it('S1-5.4 S1-5.31 a required one that is empty says so', async () => {
    const { user, written } = await formOf({ type: 'integer' }, '', { required: true });
    const field = screen.getByRole('textbox', { name: /^it/ });
    expect(screen.getByText('Required field')).toBeTruthy();
    expect(field.getAttribute('aria-invalid')).toBe('true');
    await user.type(field, '7');
    expect(written()).toBe('    it: 7\n');
    expect(screen.queryByText('Required field')).toBeNull();
  });

  it('S1-5.5 S1-5.30 what is no number is shown, and named as invalid', async () => {
    const { user, written } = await formOf({ type: 'integer' }, '    it: many\n');
    const field = screen.getByRole('textbox', { name: /^it/ });
    expect(screen.getByText('Invalid field: it. Expected a number.')).toBeTruthy();
    await user.clear(field);
    await user.type(screen.getByRole('textbox', { name: /^it/ }), '12');
    expect(written()).toBe('    it: 12\n');
    expect(screen.queryByText(/Invalid field/)).toBeNull();
  });

  it('S1-5.6 limits and steps are those of the schema', async () => {
    const { user, written } = await formOf(
      { type: 'number', minimum: 1, maximum: 2, step: 0.5 },
      '    it: 1\n',
    );
    const field = screen.getByRole('textbox', { name: /^it/ });
    await user.click(field);
    await user.keyboard('{ArrowUp}');
    expect(written()).toBe('    it: 1.5\n');
    await user.keyboard('{ArrowUp}{ArrowUp}{ArrowUp}');
    expect(written()).toBe('    it: 2\n');
    await user.clear(field);
    await user.type(field, '5');
    expect(screen.getByText('Invalid field: it. Must be at most 2.')).toBeTruthy();
  });
});

describe('texts', () => {
  it('S1-5.7 a required one that is empty is invalid, and keeps its place in the text', async () => {
    const { user, written } = await formOf({ type: 'string' }, '    it: a\n', { required: true });
    await user.clear(screen.getByRole('textbox', { name: /^it/ }));
    expect(screen.getByText('Required field')).toBeTruthy();
    expect(written()).toBe('    it: ""\n');
  });

  it('S1-5.8 one that fails the pattern is invalid', async () => {
    const { user } = await formOf({ type: 'string', pattern: '^[a-z]+$' });
    await user.type(screen.getByRole('textbox', { name: /^it/ }), 'A');
    expect(screen.getByText('Invalid field: it. Must match ^[a-z]+$.')).toBeTruthy();
  });

  it('an optional one that is emptied leaves the text', async () => {
    const { user, written } = await formOf({ type: 'string' }, '    it: a\n');
    await user.clear(screen.getByRole('textbox', { name: /^it/ }));
    expect(written()).toBeUndefined();
  });

  it('S1-5.16 S1-5.17 an expression stays a text, anything else is read as YAML, and half of it changes nothing', async () => {
    const { user, written } = await formOf({});
    const field = screen.getByRole('textbox', { name: /^it/ });
    await user.click(field);
    await user.paste('{{ inputs.a }}: b');
    expect(written()).toBe(`    it: "{{ inputs.a }}: b"\n`);
    await user.clear(field);
    await user.paste('{a: [1, two]}');
    expect(written()).toBe('    it:\n      a:\n        - 1\n        - two\n');
    await user.clear(field);
    await user.paste('[1');
    expect(written()).toBeUndefined();
    expect(field).toHaveProperty('value', '[1');
    expect(field.getAttribute('aria-invalid')).toBe('true');
  });
});

describe('durations', () => {
  it('S1-5.9 are picked as a time and written in ISO 8601', async () => {
    const { user, written } = await formOf({ type: 'string', format: 'duration' });
    await user.type(screen.getByLabelText('it: hours'), '01');
    await user.type(screen.getByLabelText('it: minutes'), '30');
    await user.type(screen.getByLabelText('it: seconds'), '05');
    await waitFor(() => expect(written()).toBe('    it: PT1H30M5S\n'));
  });

  it('S1-5.32 what is none stays to be put right', async () => {
    await formOf({ type: 'string', format: 'duration' }, '    it: soon\n');
    const field = screen.getByRole('textbox', { name: 'it' });
    expect(field).toHaveProperty('value', 'soon');
    expect(
      screen.getByText('Invalid duration format, must be an ISO 8601 duration (e.g., P1DT1H1M1S)'),
    ).toBeTruthy();
  });

  it.each([
    ['PT90M', '01:30:00', 'PT1H30M'],
    ['PT30H', '30:00:00', 'PT30H'],
    ['PT0S', '00:00:00', 'PT0S'],
  ])('S1-5.9 %s is shown as %s', (iso, clock, back) => {
    expect(toClock(iso)).toBe(clock);
    expect(fromClock(clock)).toBe(back);
  });

  it.each([['P1D'], ['PT0.5S'], ['-PT1H'], ['{{ x }}']])('%s is written, not picked', (iso) => {
    expect(toClock(iso)).toBeUndefined();
  });
});

describe('maps and lists', () => {
  it('S1-5.10 nothing can be added while the last entry has an empty key or value', async () => {
    const { user, written } = await formOf({ type: 'object', additionalProperties: { type: 'string' } });
    const add = screen.getByRole('button', { name: 'Add to it' });
    expect(add).toHaveProperty('disabled', false);
    await user.click(add);
    expect(add).toHaveProperty('disabled', true);
    await user.type(screen.getByLabelText('it: key 1'), 'HOST{Enter}');
    expect(written()).toBe('    it:\n      HOST: ""\n');
    expect(add).toHaveProperty('disabled', true);
    await user.type(screen.getByLabelText('HOST'), 'example');
    expect(written()).toBe('    it:\n      HOST: example\n');
    expect(add).toHaveProperty('disabled', false);
  });

  it('a key is renamed in its place and never taken twice', async () => {
    const { user, written } = await formOf(
      { type: 'object', additionalProperties: {} },
      '    it:\n      a: 1 # first\n      b: 2\n',
    );
    const key = screen.getByLabelText('it: key 1');
    await user.clear(key);
    await user.type(key, 'b');
    expect(screen.getByText('The key "b" already exists.')).toBeTruthy();
    await user.clear(key);
    await user.type(key, 'c{Enter}');
    expect(written()).toBe('    it:\n      c: 1 # first\n      b: 2\n');
  });

  it('items are added, moved and removed', async () => {
    const { user, written } = await formOf({ type: 'array', items: { type: 'string' } }, '    it: [a]\n');
    await user.click(screen.getByRole('button', { name: 'Add to it' }));
    await user.type(screen.getByLabelText('it 2'), 'b');
    await user.click(screen.getByRole('button', { name: 'Move it 2 up' }));
    expect(written()).toBe('    it: [b, a]\n');
    await user.click(screen.getByRole('button', { name: 'Remove it 1' }));
    expect(written()).toBe('    it: [a]\n');
    await user.click(screen.getByRole('button', { name: 'Remove it 1' }));
    expect(written()).toBeUndefined();
  });
});

describe('choices', () => {
  it('a value outside the list stays and is named as invalid', async () => {
    const { user, written } = await formOf({ enum: ['A', 'B'] }, '    it: C\n');
    expect(screen.getByText('Invalid field: it. Not one of the values to choose from.')).toBeTruthy();
    await user.click(screen.getByRole('combobox', { name: /^it/ }));
    await user.click(await screen.findByRole('option', { name: 'B' }));
    expect(written()).toBe('    it: B\n');
  });

  it('not set differs from false', async () => {
    const { user, written } = await formOf({ type: 'boolean', default: true });
    await user.click(screen.getByRole('radio', { name: 'False' }));
    expect(written()).toBe('    it: false\n');
    await user.click(screen.getByRole('radio', { name: 'Default: True' }));
    expect(written()).toBeUndefined();
  });

  it('another shape takes the value along', async () => {
    const { user, written } = await formOf(
      { oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
      '    it: one\n',
    );
    await user.click(screen.getByRole('radio', { name: 'array' }));
    expect(written()).toBe('    it:\n      - one\n');
  });

  it('a value gives way to an expression and comes back', async () => {
    const { user, written } = await formOf(
      { anyOf: [{ type: 'boolean' }, { type: 'string', pattern: '.*{{.*}}.*' }] },
      '    it: true\n',
    );
    await user.click(screen.getByRole('button', { name: 'Write an expression for it' }));
    const field = screen.getByRole('textbox', { name: /^it/ });
    await user.clear(field);
    await user.click(field);
    await user.paste('{{ inputs.on }}');
    expect(written()).toBe('    it: "{{ inputs.on }}"\n');
    await user.click(screen.getByRole('button', { name: 'Choose a value for it' }));
    expect(written()).toBeUndefined();
    expect(screen.getByRole('radiogroup', { name: 'it' })).toBeTruthy();
  });
});

describe('objects', () => {
  it('S1-5.15 optional properties sit in a section that opens and closes', async () => {
    const { user } = renderForm(flowWith('    need: x\n'), {
      schema: schemaWith({ need: { type: 'string' }, extra: { type: 'string' }, more: { type: 'string' } }, [
        'need',
      ]),
    });
    await user.click(screen.getByLabelText('Edit one'));
    const section = screen.getByRole('button', { name: '2 optional properties' });
    expect(section.getAttribute('aria-expanded')).toBe('false');
    expect(screen.queryByLabelText(/^extra/)).toBeNull();
    await user.click(section);
    expect(screen.getByLabelText(/^extra/)).toBeTruthy();
  });

  it('S1-5.11 S1-5.12 S1-5.13 S1-5.14 their order is that of the form', async () => {
    const { user } = renderForm(flowWith(''), {
      schema: schemaWith(
        {
          zulu: { type: 'string' },
          alpha: { type: 'string' },
          need: { type: 'string' },
          set: { type: 'string', default: 'x' },
          must: { type: 'string', default: 'y' },
        },
        ['need', 'must'],
      ),
    });
    await user.click(screen.getByLabelText('Edit one'));
    await user.click(screen.getByRole('button', { name: '3 optional properties' }));
    const names = screen
      .getAllByRole('textbox')
      .map((one) => document.querySelector(`label[for="${one.id}"]`));
    expect(names.map((label) => label?.textContent)).toEqual([
      'id*',
      'need*',
      'must*',
      'alpha',
      'zulu',
      'set',
    ]);
  });

  it('what the schema does not know is shown, can be changed and is never lost', async () => {
    const { user, source } = renderForm(flowWith('    mystery: {a: 1}\n'), { schema: schemaWith({}) });
    await user.click(screen.getByLabelText('Edit one'));
    const field = screen.getByLabelText(/^mystery/);
    expect(field).toHaveProperty('value', 'a: 1');
    const id = screen.getByLabelText(/^id/);
    await user.type(id, 'x');
    expect(source()).toContain('- id: onex');
    expect(source()).toContain('    mystery: {a: 1}\n');
  });
});

it('completes an expression with the names of this flow, and accepts one by a key', async () => {
  const { user, written, source } = await formOf({ type: 'string', $dynamic: true }, '    it: "{{ x"\n');
  const field = screen.getByLabelText<HTMLTextAreaElement>(/^it/, { selector: 'textarea' });
  await user.clear(field);
  await user.paste('{{ flow.n');
  await screen.findByText('namespace', { selector: '[role="option"]' });
  await user.keyboard('{Enter}');
  expect(field.value).toBe('{{ flow.namespace');
  await user.paste(' }}');
  expect(written()).toContain('{{ flow.namespace }}');
  await waitFor(() => expect(screen.queryByText('namespace', { selector: '[role="option"]' })).toBeNull());
  expect(source()).toContain('id: f\n');
});
