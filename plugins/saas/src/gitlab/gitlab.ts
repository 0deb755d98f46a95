import { mapsIn } from '@millrace/plugin-kit';
import { out } from '../rest/outputs.ts';
import { may, need, preset } from '../rest/properties.ts';
import { defineService } from '../rest/service.ts';

const gitlab = defineService({
  name: 'GitLab',
  prefix: 'gitlab',
  properties: {
    url: preset.text('https://gitlab.com', 'The address of GitLab.'),
    token: need.secret('A personal, project or group access token.'),
    projectId: need.text('The id of the project, or its path such as `acme/orders`.'),
    apiPath: preset.text('/api/v4/projects', 'The path of the API.'),
  },
  baseUrl: ({ url, apiPath, projectId }) =>
    `${url.replace(/\/+$/, '')}/${apiPath.replace(/^\/+|\/+$/g, '')}/${encodeURIComponent(projectId)}`,
  auth: ({ token }) => ({ headers: { 'private-token': token } }),
  example: { token: "{{ secret('GITLAB_TOKEN') }}", projectId: 'acme/orders' },
});

const statusCode = out.integer('The status of the response.');

const createIssue = gitlab.task({
  type: 'issues.Create',
  title: 'Create an issue in GitLab',
  description: 'Creates an issue in a project.',
  properties: {
    title: need.text('The title.'),
    issueDescription: may.text('The text, as Markdown.'),
    labels: may.texts('The labels.'),
  },
  request: 'POST /issues',
  body: ({ title, issueDescription, labels }) => ({
    title,
    description: issueDescription,
    labels: labels?.join(','),
  }),
  output: {
    issueId: out.text('The number of the issue in its project.', 'iid'),
    webUrl: out.text('The page of the issue.', 'web_url'),
    statusCode,
  },
  result: ({ status }) => ({ statusCode: status }),
  example: { title: 'The nightly load failed', labels: ['bug', 'nightly'] },
});

const searchIssues = gitlab.task({
  type: 'issues.Search',
  title: 'Search issues of GitLab',
  description: 'Searches the issues of a project by words, state and labels. It returns the first 100.',
  properties: {
    search: may.text('Words of the title or the text.'),
    state: preset.text('opened', '`opened`, `closed` or `all`.'),
    labels: may.texts('Issues with all of these labels.'),
  },
  request: 'GET /issues',
  query: ({ search, state, labels }) => ({ search, state, labels: labels?.join(','), per_page: 100 }),
  output: { issues: out.maps('The issues.', ''), count: out.integer('How many there are.'), statusCode },
  result: ({ status, body }) => ({ count: mapsIn(body).length, statusCode: status }),
  example: { search: 'load', labels: ['bug'] },
});

const createMergeRequest = gitlab.task({
  type: 'mergerequests.Create',
  aliases: ['gitlab.MergeRequest'],
  title: 'Create a merge request in GitLab',
  description: 'Opens a merge request.',
  properties: {
    title: need.text('The title.'),
    sourceBranch: need.text('The branch with the changes.'),
    targetBranch: need.text('The branch that the changes are for.'),
    mergeRequestDescription: may.text('The text, as Markdown.'),
  },
  request: 'POST /merge_requests',
  body: {
    title: 'title',
    source_branch: 'sourceBranch',
    target_branch: 'targetBranch',
    description: 'mergeRequestDescription',
  },
  output: {
    mergeReqID: out.text('The number of the merge request in its project.', 'iid'),
    webUrl: out.text('The page of the merge request.', 'web_url'),
    statusCode,
  },
  result: ({ status }) => ({ statusCode: status }),
  example: { title: 'New prices', sourceBranch: 'prices', targetBranch: 'main' },
});

export const gitlabTypes = [createIssue, searchIssues, createMergeRequest];
