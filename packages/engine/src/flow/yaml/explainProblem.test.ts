import { describe, expect, it } from 'vitest';
import { parseFlow } from '../parseFlow.ts';

const tasks = (count: number): string =>
  Array.from({ length: count }, (_, i) => `  - id: t${i}\n    type: core.log.Log\n    message: hi\n`).join(
    '',
  );

describe.each([1, 400])('a mistake before %i tasks is explained on its line', (count) => {
  it.each([
    ['tasks:xxx', '"tasks:xxx" is not a property; expected a space or a line break after "tasks:"'],
    ['tasks', '"tasks" is not a property; expected a name and a colon, as in "id: hello"'],
    ['tasks: xxx', '"tasks: xxx" has a value and indented lines below it; expected one of the two'],
    ['description: a: b\ntasks:', 'The value of "description:" contains a colon; expected it in quotes'],
    ['tasks: []x', 'Unexpected scalar at node end'],
  ])('%j', (line, message) => {
    const { issues, flow } = parseFlow(`id: a\nnamespace: b\n${line}\n${tasks(count)}`);
    expect(flow).toBeUndefined();
    expect(issues).toHaveLength(1);
    expect(issues[0]?.message.startsWith(`${message} at line 3`)).toBe(true);
    expect(issues[0]?.range?.start.line).toBe(3);
    expect(issues[0]?.range?.end.line).toBe(3);
  });
});

it('a list that stands beside a value is called a list item', () => {
  const [issue] = parseFlow('id: a\nnamespace: b\ntasks: xxx\n- id: t\n  type: core.log.Log\n').issues;
  expect(issue?.message).toMatch(/^"- id: t" is a list item; expected a property at this indentation/);
});

it('a document that is too deep after a bracket over several lines is still called too deep', () => {
  const lists = '[\n '.repeat(400);
  expect(parseFlow(`id: a\nlist: ${lists}`).issues[0]?.message).toMatch(/nests deeper than 300 levels/);
});
