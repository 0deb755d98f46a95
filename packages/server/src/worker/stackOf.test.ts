import { expect, it } from 'vitest';
import { stackOf } from './stackOf.ts';

it('shows where an error was thrown without the folders of the server', () => {
  const error = new Error('no file /in.csv');
  error.stack = `Error: no file /in.csv
    at run (/srv/mill race/dist/server/task-1.js:10:2)
    at async Object.run (file:///srv/millrace/dist/server/task-2.js:3:4)
    at /srv/millrace/dist/server/task-3.js:5:6
    at C:\\millrace\\dist\\task-4.js:7:8
    at node:internal/process/task_queues:95:5
    at new Promise (<anonymous>)`;
  expect(stackOf(error)).toBe(`Error: no file /in.csv
    at run (task-1.js:10:2)
    at async Object.run (task-2.js:3:4)
    at task-3.js:5:6
    at task-4.js:7:8
    at node:internal/process/task_queues:95:5
    at new Promise (<anonymous>)`);
  expect(stackOf(new Error('here'))).not.toContain(import.meta.dirname);
});
