import { testEvaluation } from './testing/testEvaluation.ts';

// A Java virtual machine starts for each script, so these tests are too slow for every run.
testEvaluation({
  group: 'scripts.groovy',
  isThere: process.env.MILLRACE_TEST_GROOVY !== undefined,
  names: `greeting = 'Hello ' + inputs.name\nsum = vars.list.sum()\nlogger.warn('careful')\nsum`,
  member: `[greeting: 'from the result']`,
  fails: `throw new Exception('broken')`,
  rows: `if (row.n == 1) row = null\nelse if (row.n > 2) rows = [row, [n: row.n * 10]]\nelse row.ok = true`,
});
