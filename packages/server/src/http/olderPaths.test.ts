import { expect, it } from 'vitest';
import { rewriteOlderPath } from './olderPaths.ts';

const community = '/api/v1/blueprints/community';

it.each([
  [community, `${community}/flow`],
  [`${community}?q=a`, `${community}/flow?q=a`],
  ['/api/v1/blueprints/tags?q=a', `${community}/flow/tags?q=a`],
  [`${community}/tags`, `${community}/flow/tags`],
  [`${community}/daily-report`, `${community}/flow/daily-report`],
  [`${community}/daily-report/flow`, `${community}/flow/daily-report/source`],
  [`${community}/daily-report/graph`, `${community}/flow/daily-report/graph`],
  [`${community}/Dashboard/log-errors`, `${community}/Dashboard/log-errors`],
  [`${community}/flow/daily-report/graph`, `${community}/flow/daily-report/graph`],
  ['/api/v1/blueprints/custom', '/api/v1/blueprints/custom'],
  ['/v1/docs/build/inputs/versions/1', '/v1/docs/build%2Finputs/versions/1'],
  ['/v1/docs//build/control/versions/1/children', '/v1/docs/build%2Fcontrol/versions/1/children'],
  ['/v1/docs/build%2Finputs/versions/1', '/v1/docs/build%2Finputs/versions/1'],
  ['/v1/docs/versions/1/search?q=a/versions/b', '/v1/docs/versions/1/search?q=a/versions/b'],
  ['/api/v1/executions/a/actions/restart?revision=1', '/api/v1/executions/a/restart?revision=1'],
  ['/api/v1/executions/webhook/n/f/key/more/words?a=1', '/api/v1/executions/webhook/n/f/key?a=1'],
  ['/api/v1/executions/actions/restart', '/api/v1/executions/actions/restart'],
  ['/api/v1/flows/a/actions/b', '/api/v1/flows/a/actions/b'],
])('reads %s as %s', (given, expected) => {
  expect(rewriteOlderPath(given)).toBe(expected);
});
