import { expect, it } from 'vitest';
import { parseFlow } from './parseFlow.ts';
import { taskTree } from './taskTree.ts';

it('lists the tasks of a flow in its order, each with its depth and its branch', () => {
  const { flow } = parseFlow(`id: f
namespace: n
tasks:
  - id: first
    type: core.log.Log
    message: a
  - id: each
    type: core.flow.ForEach
    values: [1, 2]
    tasks:
      - id: choose
        type: core.flow.If
        condition: "{{ true }}"
        then:
          - {id: yes, type: core.log.Log, message: a}
        else:
          - {id: no, type: core.log.Log, message: a}
    errors:
      - {id: repair, type: core.log.Log, message: a}
  - id: items
    type: core.flow.ForEachItem
    items: x
    namespace: n
    flowId: g
errors:
  - {id: report, type: core.log.Log, message: a}
finally:
  - {id: clean, type: core.log.Log, message: a}
afterExecution:
  - {id: after, type: core.log.Log, message: a}
`);
  expect(taskTree(flow!).map(({ id, depth, branch }) => `${'  '.repeat(depth)}${id} ${branch}`)).toEqual([
    'first tasks',
    'each tasks',
    '  choose tasks',
    '    yes tasks',
    '    no tasks',
    '  repair tasks',
    'items tasks',
    '  items_split tasks',
    '  items_items tasks',
    '  items_merge tasks',
    'report errors',
    'clean finally',
    'after afterExecution',
  ]);
});
