import { dropMissing, type JsonMap, readJsonMap } from '@millrace/plugin-kit';
import { basic, bearer } from '../rest/auth.ts';
import { may, need, requestOptions } from '../rest/properties.ts';
import { defineService } from '../rest/service.ts';

const jira = defineService({
  name: 'Jira',
  prefix: 'jira.issues',
  properties: {
    baseUrl: need.text('The address of Jira, such as `https://acme.atlassian.net`.'),
    username: may.text('The user, with `password`.'),
    password: may.secret('The password of the user, or an API token of Jira Cloud.'),
    accessToken: may.secret('An OAuth or personal access token, instead of a user.'),
    payload: may.json('The whole body of the request as JSON; it replaces what the other properties say.'),
    ...requestOptions,
  },
  baseUrl: ({ baseUrl }) => `${baseUrl.replace(/\/+$/, '')}/rest/api/2/issue`,
  auth: ({ username, password, accessToken }) => {
    if (accessToken) return bearer(accessToken);
    return username === undefined ? undefined : basic(username, password ?? '');
  },
  example: {
    baseUrl: 'https://acme.atlassian.net',
    username: 'ada@example.com',
    password: "{{ secret('JIRA_API_TOKEN') }}",
  },
});

const fields = {
  summary: may.text('The title of the issue.'),
  description: may.text('The text of the issue.'),
  labels: may.texts('The labels.'),
  issueTypeId: may.text('The id of the type of the issue.'),
  templateUri: may.text('Accepted for older flows; not used.'),
};
const project = may.text('The key of the project.');
const issue = { issueIdOrKey: need.text('The id or key of the issue, such as `OPS-42`.') };

const written = (payload: string | undefined, made: JsonMap): JsonMap =>
  payload === undefined || payload.trim() === '' ? made : readJsonMap(payload, 'payload');

const create = jira.task({
  type: 'Create',
  title: 'Create an issue in Jira',
  description: 'Creates an issue, from its properties or from a `payload`.',
  properties: { ...fields, projectKey: need.text('The key of the project.') },
  request: 'POST /',
  body: ({ payload, projectKey, summary, description, issueTypeId, labels }) =>
    written(payload, {
      fields: dropMissing({
        project: { key: projectKey },
        summary,
        description,
        issuetype: issueTypeId === undefined ? undefined : { id: issueTypeId },
        labels,
      }),
    }),
  example: {
    projectKey: 'OPS',
    summary: 'The nightly load failed',
    description: 'See execution {{ execution.id }}.',
    issueTypeId: '10001',
    labels: ['nightly'],
  },
});

const comment = jira.task({
  type: 'CreateComment',
  title: 'Comment on an issue of Jira',
  description: 'Adds a comment to an issue.',
  properties: { ...fields, ...issue, projectKey: project, body: need.text('The text of the comment.') },
  request: 'POST /{issueIdOrKey}/comment',
  body: ({ payload, body }) => written(payload, { body }),
  example: { issueIdOrKey: 'OPS-42', body: 'The load runs again.' },
});

const update = jira.task({
  type: 'UpdateFields',
  title: 'Update fields of an issue of Jira',
  description: 'Changes fields of an issue.',
  properties: { ...fields, ...issue, projectKey: project, fields: need.map('The fields and their values.') },
  request: 'PUT /{issueIdOrKey}',
  body: ({ payload, fields: values }) => written(payload, { fields: values }),
  example: { issueIdOrKey: 'OPS-42', fields: { summary: 'Solved: the nightly load' } },
});

export const jiraTypes = [create, comment, update];
