import { generateKeyPairSync } from 'node:crypto';
import { runType } from '@millrace/plugin-kit/testing';
import { expect, test } from 'vitest';
import { aServiceContext, expectExchanges, startServices, testCalls } from '../testing/exchange.ts';
import { githubTypes } from './github.ts';
import { listProjectItems, projectItems } from './projects.ts';
import { githubSearches } from './search.ts';

startServices();

const api = 'https://api.github.com';
const found = { total_count: 2, items: [{ id: 1 }] };
const next = { link: `<${api}/search/more?page=2>; rel="next", <${api}/search/more?page=2>; rel="last"` };
const stored = (asks: string) => ({
  exchanges: [
    { asks, replies: found, replyHeaders: next },
    { asks: `GET ${api}/search/more?page=2`, replies: { total_count: 2, items: [{ id: 2 }] } },
  ],
  gives: { size: 2, total: 2 },
  stores: { uri: '{"id":1}\n{"id":2}\n' },
});
const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});
const item = (id: string, status: string) => ({
  id,
  type: 'ISSUE',
  content: {
    title: `Issue ${id}`,
    number: 1,
    repository: { nameWithOwner: 'acme/orders' },
    labels: { nodes: [{ name: 'bug' }] },
    assignees: { nodes: [{ login: 'ada' }] },
  },
  fieldValues: { nodes: [{ name: status, field: { name: 'Status' } }, {}] },
});
const project = (nodes: unknown[], pageInfo: unknown) => ({
  data: { organization: { projectV2: { items: { totalCount: 3, pageInfo, nodes } } } },
});
const variables = { organization: 'acme', number: 7 };

testCalls([...githubTypes.slice(0, 4), ...githubSearches, listProjectItems], {
  headers: {
    authorization: 'Bearer GITHUB_TOKEN',
    accept: 'application/vnd.github+json',
    'x-github-api-version': '2022-11-28',
  },
  cases: [
    {
      type: 'github.actions.RunWorkflow',
      exchanges: [
        {
          asks: `POST ${api}/repos/acme/orders/actions/workflows/deploy.yml/dispatches`,
          sends: { ref: 'main', inputs: { stage: 'production' } },
          status: 204,
        },
      ],
    },
    {
      type: 'github.issues.Create',
      with: { body: 'See the log.', fields: { milestone: 3 } },
      exchanges: [
        {
          asks: `POST ${api}/repos/acme/orders/issues`,
          sends: {
            milestone: 3,
            title: 'The nightly load failed',
            body: 'See the log.',
            labels: ['bug', 'nightly'],
          },
          status: 201,
          replies: { number: 1347, html_url: 'https://github.com/acme/orders/issues/1347' },
        },
      ],
      gives: { issueUrl: 'https://github.com/acme/orders/issues/1347', issueNumber: 1347 },
    },
    {
      type: 'github.issues.Create',
      when: 'with a label that does not exist fails in the words of GitHub',
      with: { body: 'x' },
      exchanges: [
        {
          asks: `POST ${api}/repos/acme/orders/issues`,
          sends: { title: 'The nightly load failed', body: 'x', labels: ['bug', 'nightly'] },
          status: 422,
          replies: { message: 'Validation Failed', errors: [{ resource: 'Label', code: 'missing' }] },
        },
      ],
      fails:
        'responded with status 422 to POST /repos/acme/orders/issues: Validation Failed [{"resource":"Label","code":"missing"}]',
    },
    {
      type: 'github.issues.Comment',
      exchanges: [
        {
          asks: `POST ${api}/repos/acme/orders/issues/1347/comments`,
          sends: { body: 'The load runs again.' },
          status: 201,
          replies: { html_url: 'https://github.com/acme/orders/issues/1347#issuecomment-1' },
        },
      ],
      gives: {
        issueUrl: 'https://github.com/acme/orders/issues/1347',
        commentUrl: 'https://github.com/acme/orders/issues/1347#issuecomment-1',
      },
    },
    {
      type: 'github.pulls.Create',
      exchanges: [
        {
          asks: `POST ${api}/repos/acme/orders/pulls`,
          sends: {
            title: 'New prices',
            head: 'prices',
            base: 'main',
            maintainer_can_modify: false,
            draft: false,
          },
          status: 201,
          replies: {
            number: 5,
            html_url: 'https://github.com/acme/orders/pull/5',
            issue_url: `${api}/repos/acme/orders/issues/5`,
          },
        },
        {
          asks: `POST ${api}/repos/acme/orders/pulls/5/requested_reviewers`,
          sends: { reviewers: ['ada'], team_reviewers: ['data'] },
          status: 201,
        },
      ],
      gives: {
        issueUrl: `${api}/repos/acme/orders/issues/5`,
        pullRequestUrl: 'https://github.com/acme/orders/pull/5',
      },
    },
    {
      type: 'github.code.Search',
      ...stored(`GET ${api}/search/code?q=addClass%20repo%3Ajquery%2Fjquery%20language%3Ajs&per_page=100`),
    },
    {
      type: 'github.commits.Search',
      ...stored(
        `GET ${api}/search/commits?q=fix%20prices%20repo%3Aacme%2Forders%20author-date%3A%3E2026-01-01&sort=committer-date&order=asc&per_page=100`,
      ),
    },
    {
      type: 'github.issues.Search',
      ...stored(
        `GET ${api}/search/issues?q=label%3Abug%20is%3Aissue%20repo%3Aacme%2Forders%20is%3Aopen&sort=created&order=asc&per_page=100`,
      ),
    },
    {
      type: 'github.pulls.Search',
      ...stored(
        `GET ${api}/search/issues?q=is%3Apr%20repo%3Aacme%2Forders%20is%3Aopen%20%22new%20prices%22%20in%3Atitle&sort=updated&order=asc&per_page=100`,
      ),
    },
    {
      type: 'github.repositories.Search',
      when: 'of an Enterprise server with FETCH',
      with: { endpoint: 'https://github.example.com/api/v3', fetchType: 'FETCH' },
      exchanges: [
        {
          asks: 'GET https://github.example.com/api/v3/search/repositories?q=workflow%20language%3Atypescript%20stars%3A%3E100&sort=stars&order=desc&per_page=100',
          replies: found,
        },
      ],
      gives: { rows: [{ id: 1 }], size: 1, total: 2 },
    },
    {
      type: 'github.topics.Search',
      with: { fetchType: 'FETCH_ONE' },
      exchanges: [
        { asks: `GET ${api}/search/topics?q=orchestration%20is%3Acurated&per_page=100`, replies: found },
      ],
      gives: { row: { id: 1 }, size: 1, total: 2 },
    },
    {
      type: 'github.users.Search',
      ...stored(
        `GET ${api}/search/users?q=ada%20in%3Alogin%20type%3Auser&sort=joined&order=asc&per_page=100`,
      ),
    },
    {
      type: 'github.projects.List',
      with: { fetchType: 'FETCH' },
      exchanges: [
        {
          asks: `POST ${api}/graphql`,
          sends: { query: projectItems, variables },
          replies: project([item('a', 'In Progress'), item('b', 'Done')], {
            hasNextPage: true,
            endCursor: 'C1',
          }),
        },
        {
          asks: `POST ${api}/graphql`,
          sends: { query: projectItems, variables: { ...variables, after: 'C1' } },
          replies: project([item('c', 'Done')], { hasNextPage: false }),
        },
      ],
      gives: {
        rows: [
          {
            id: 'a',
            type: 'ISSUE',
            title: 'Issue a',
            number: 1,
            repository: 'acme/orders',
            labels: ['bug'],
            assignees: ['ada'],
            fields: { Status: 'In Progress' },
          },
        ],
        size: 1,
        total: 3,
      },
    },
  ],
});

test('github.auth.AppToken signs in as the app and keeps the token encrypted', async () => {
  const { received } = expectExchanges([
    {
      asks: `POST ${api}/app/installations/424242/access_tokens`,
      status: 201,
      replies: { token: 'ghs_secret', expires_at: '2026-01-31T01:00:00Z' },
    },
  ]);
  const context = aServiceContext();
  const [task] = githubTypes.slice(4);
  if (!task) throw new Error('No task');
  const outputs = await runType(task, { clientId: 'Iv1.abc', installationId: '424242', privateKey }, context);
  expect(outputs).toMatchObject({ expiresAt: '2026-01-31T01:00:00Z', token: { type: expect.any(String) } });
  expect(context.masker.mask('ghs_secret')).not.toContain('ghs_secret');
  const [, claims = ''] = String(received[0]?.headers.authorization).split('.');
  expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({ iss: 'Iv1.abc' });
});
