import { basic } from '../rest/auth.ts';
import { out } from '../rest/outputs.ts';
import { may, need, requestOptions } from '../rest/properties.ts';
import { defineService } from '../rest/service.ts';

const jenkins = defineService({
  name: 'Jenkins',
  prefix: 'jenkins',
  properties: {
    serverUrl: need.text('The address of Jenkins.'),
    username: may.text('The user.'),
    apiToken: may.secret('An API token of the user.'),
    ...requestOptions,
    jobName: need.text('The name of the job, with its folders as `folder/job`.'),
  },
  baseUrl: ({ serverUrl }) => serverUrl,
  auth: ({ username, apiToken }) => (username === undefined ? undefined : basic(username, apiToken ?? '')),
  example: {
    serverUrl: 'https://jenkins.example.com',
    username: 'ada',
    apiToken: "{{ secret('JENKINS_TOKEN') }}",
    jobName: 'shop/deploy',
  },
});

const jobPath = (name: string): string =>
  name
    .split('/')
    .filter(Boolean)
    .map((part) => `/job/${encodeURIComponent(part)}`)
    .join('');

const build = jenkins.task({
  type: 'JobBuild',
  title: 'Start a job of Jenkins',
  description: 'Starts a build, with parameters if you like. The task does not wait for it.',
  properties: { parameters: may.map('The parameters of the build.') },
  request: ({ jobName, parameters }) =>
    `POST ${jobPath(jobName)}/${parameters ? 'buildWithParameters' : 'build'}`,
  form: ({ parameters = {} }) => parameters,
  output: { status: out.integer('The status of the response; 201 when the build is in the queue.') },
  result: ({ status }) => ({ status }),
  example: { parameters: { stage: 'production' } },
});

const info = jenkins.task({
  type: 'JobInfo',
  title: 'Get a build of a job of Jenkins',
  description: 'Reads the state of a build.',
  properties: { buildNumber: need.integer('The number of the build.') },
  request: ({ jobName, buildNumber }) => `GET ${jobPath(jobName)}/${buildNumber}/api/json`,
  output: { info: out.map('The build, as Jenkins describes it.', '') },
  example: { buildNumber: 42 },
});

export const jenkinsTypes = [build, info];
