import { type JsonMap, type TaskContext, textOf } from '@millrace/plugin-kit';
import { bearer, signJwt } from '../rest/auth.ts';
import { out } from '../rest/outputs.ts';
import { may, need, preset } from '../rest/properties.ts';
import { sealedOutput } from '../rest/sealedOutput.ts';
import { defineService } from '../rest/service.ts';

export const github = defineService({
  name: 'GitHub',
  prefix: 'github',
  properties: {
    login: may.text('The name of the user that the token belongs to. GitHub does not need it.'),
    oauthToken: may.secret('A personal access token, or an OAuth token.'),
    jwtToken: may.secret('A JSON web token of a GitHub App.'),
    appInstallationToken: may.secret(
      'The token of an installation of a GitHub App, see `github.auth.AppToken`.',
    ),
    endpoint: may.text(
      'The address of the API of GitHub Enterprise, such as `https://github.example.com/api/v3`.',
    ),
  },
  baseUrl: ({ endpoint }) => endpoint ?? 'https://api.github.com',
  auth: ({ appInstallationToken, oauthToken, jwtToken }) => {
    const token = appInstallationToken ?? oauthToken ?? jwtToken;
    return token === undefined ? undefined : bearer(token);
  },
  headers: () => ({ accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' }),
  example: { oauthToken: "{{ secret('GITHUB_TOKEN') }}" },
});

const repository = { repository: may.text('The repository, as `owner/name`.') };

const runWorkflow = github.task({
  type: 'actions.RunWorkflow',
  title: 'Run a workflow of GitHub Actions',
  description:
    'Starts a workflow that has the event `workflow_dispatch`. The task does not wait for the run.',
  properties: {
    ...repository,
    workflowId: may.text('The id of the workflow, or the name of its file.'),
    ref: may.text('The branch or tag that the workflow runs on.'),
    inputs: may.map('The inputs of the workflow.'),
  },
  request: 'POST /repos/{+repository}/actions/workflows/{workflowId}/dispatches',
  body: ['ref', 'inputs'],
  example: {
    repository: 'acme/orders',
    workflowId: 'deploy.yml',
    ref: 'main',
    inputs: { stage: 'production' },
  },
});

const createIssue = github.task({
  type: 'issues.Create',
  title: 'Create an issue',
  description: 'Creates an issue in a repository.',
  properties: {
    ...repository,
    title: may.text('The title of the issue.'),
    body: may.text('The text of the issue, as Markdown.'),
    labels: may.texts('The labels.'),
    assignees: may.texts('The names of the users who are assigned.'),
    fields: may.map('More fields of the request, such as `milestone` or `type`.'),
  },
  request: 'POST /repos/{+repository}/issues',
  body: ({ title, body, labels, assignees, fields }) => ({ ...fields, title, body, labels, assignees }),
  output: {
    issueUrl: out.text('The page of the issue.', 'html_url'),
    issueNumber: out.integer('The number of the issue.', 'number'),
  },
  example: {
    repository: 'acme/orders',
    title: 'The nightly load failed',
    body: 'See execution {{ execution.id }}.',
    labels: ['bug', 'nightly'],
  },
});

const commentIssue = github.task({
  type: 'issues.Comment',
  title: 'Comment on an issue',
  description: 'Adds a comment to an issue or a pull request.',
  properties: {
    ...repository,
    issueNumber: need.integer('The number of the issue.'),
    body: may.text('The text of the comment, as Markdown.'),
  },
  request: 'POST /repos/{+repository}/issues/{issueNumber}/comments',
  body: ['body'],
  output: {
    issueUrl: out.text('The page of the issue.'),
    commentUrl: out.text('The address of the comment.', 'html_url'),
  },
  result: ({ body }) => ({ issueUrl: textOf((body as JsonMap).html_url)?.replace(/#.*$/, '') }),
  example: { repository: 'acme/orders', issueNumber: 1347, body: 'The load runs again.' },
});

const createPull = github.task({
  type: 'pulls.Create',
  title: 'Create a pull request',
  description: 'Opens a pull request and asks for reviews. A reviewer `team:slug` is a team.',
  properties: {
    ...repository,
    sourceBranch: may.text('The branch with the changes.'),
    targetBranch: may.text('The branch that the changes are for.'),
    title: may.text('The title.'),
    body: may.text('The text, as Markdown.'),
    maintainerCanModify: preset.flag(false, 'Maintainers of the repository may change the branch.'),
    draft: preset.flag(false, 'Open it as a draft.'),
    reviewers: may.texts('Users, or teams as `team:slug`, that are asked for a review.'),
  },
  output: {
    issueUrl: out.text('The address of the issue of the pull request in the API.'),
    pullRequestUrl: out.text('The page of the pull request.'),
  },
  run: async (client, input) => {
    const { repository: name = '', sourceBranch, targetBranch, title, body, draft, reviewers = [] } = input;
    const path = `/repos/${name}/pulls`;
    const created = await client.ask({
      method: 'POST',
      path,
      body: {
        title,
        head: sourceBranch,
        base: targetBranch,
        body,
        maintainer_can_modify: input.maintainerCanModify,
        draft,
      },
    });
    const teams = reviewers.filter((one) => one.startsWith('team:')).map((one) => one.slice('team:'.length));
    const users = reviewers.filter((one) => !one.startsWith('team:'));
    if (reviewers.length > 0)
      await client.send({
        method: 'POST',
        path: `${path}/${created.number}/requested_reviewers`,
        body: { reviewers: users, team_reviewers: teams },
      });
    return { issueUrl: created.issue_url, pullRequestUrl: created.html_url };
  },
  example: {
    repository: 'acme/orders',
    sourceBranch: 'prices',
    targetBranch: 'main',
    title: 'New prices',
    reviewers: ['ada', 'team:data'],
  },
});

/** The login of an app is the token itself, so this call has other properties than the rest. */
const apps = defineService({
  name: 'GitHub',
  prefix: 'github',
  properties: {
    clientId: need.text('The client id (or the app id) of the GitHub App.'),
    installationId: need.text('The id of the installation.'),
    privateKey: need.secret('The private key of the app, as PEM.'),
    endpoint: preset.text('https://api.github.com', 'The address of the API.'),
  },
  baseUrl: ({ endpoint }) => endpoint,
  auth: ({ clientId, privateKey }) => {
    const now = Math.floor(Date.now() / 1000);
    // The clock of GitHub may be a little behind; ten minutes is the longest that it accepts.
    return bearer(signJwt({ alg: 'RS256' }, { iat: now - 60, exp: now + 540, iss: clientId }, privateKey));
  },
  headers: () => ({ accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' }),
  example: {
    clientId: 'Iv1.0123456789abcdef',
    installationId: '424242',
    privateKey: "{{ secret('GITHUB_APP_KEY') }}",
  },
});

const appToken = apps.task({
  type: 'auth.AppToken',
  title: 'Get the token of an installation of a GitHub App',
  description:
    'Signs in as a GitHub App and returns a token of one installation, which lasts an hour. Later tasks use it as `appInstallationToken`. The token is stored encrypted when the server has a key for it (`encryption.secretKey`).',
  output: {
    token: out.any('The token.'),
    expiresAt: out.text('When the token expires.'),
  },
  run: async (client, { installationId }, context: TaskContext) => {
    const path = `/app/installations/${encodeURIComponent(installationId)}/access_tokens`;
    const { token, expires_at: expiresAt } = await client.ask({ method: 'POST', path });
    return { token: sealedOutput(context, textOf(token) ?? ''), expiresAt };
  },
  example: {},
});

export const githubTypes = [runWorkflow, createIssue, commentIssue, createPull, appToken];
