import { describe, expect, it } from 'vitest';
import { readAround } from './readAround.ts';

const before = 'id: a\ninputs:\n  - id: name\n    type: STRING\ntasks:\n  - id: log\n';
const after = '\n  - id: last\n';
const read = (line: string) => readAround(before + line + after, before.length + line.length);

describe('the text around a line that is being written', () => {
  it.each([
    ['a text that is not closed', '    message: "{{ inputs.', null],
    ['an expression without quotes', '    message: {{ inputs.', null],
    ['a line that can be read', '    message: "{{ inputs. }}"', '{{ inputs. }}'],
  ])('is read beside %s', (_, line, message) => {
    expect(read(line)).toEqual({
      id: 'a',
      inputs: [{ id: 'name', type: 'STRING' }],
      tasks: [{ id: 'log', message }, { id: 'last' }],
    });
  });

  it('is given up when another line is wrong as well', () => {
    expect(readAround(`${before}    a: "b\n    message: "{{ `, before.length + 8)).toBeUndefined();
  });
});
