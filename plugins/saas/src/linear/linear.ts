import { mapIn, mapsIn, TaskFailed, textOf } from '@millrace/plugin-kit';
import type { RestClient } from '../rest/client.ts';
import { out, valueAt } from '../rest/outputs.ts';
import { may } from '../rest/properties.ts';
import { defineService } from '../rest/service.ts';

const linear = defineService({
  name: 'Linear',
  prefix: 'linear.issues',
  baseUrl: 'https://api.linear.app',
  properties: { token: may.secret('An API key, or an OAuth token.') },
  auth: ({ token }) =>
    token === undefined
      ? undefined
      : { headers: { authorization: token.startsWith('lin_oauth') ? `Bearer ${token}` : token } },
  example: { token: "{{ secret('LINEAR_TOKEN') }}" },
});

export const teamQuery = 'query($name: String!) { teams(filter: { name: { eq: $name } }) { nodes { id } } }';
export const labelQuery =
  'query($names: [String!]!) { issueLabels(filter: { name: { in: $names } }) { nodes { id name } } }';
export const createMutation =
  'mutation($input: IssueCreateInput!) { issueCreate(input: $input) { success issue { id } } }';

async function ask(client: RestClient, query: string, variables: Record<string, unknown>): Promise<unknown> {
  const { data, errors } = await client.ask({ method: 'POST', path: '/graphql', body: { query, variables } });
  const [problem] = mapsIn(errors);
  if (problem)
    throw new TaskFailed(`Linear refuses the request: ${textOf(problem.message)}`, { retry: false });
  return data;
}

const create = linear.task({
  type: 'Create',
  title: 'Create an issue in Linear',
  description: 'Creates an issue in a team. Labels that the workspace does not have fail the task.',
  properties: {
    team: may.text('The name of the team.'),
    title: may.text('The title.'),
    description: may.text('The text, as Markdown.'),
    labels: may.texts('The names of the labels.'),
  },
  output: {
    isSuccess: out.flag('Whether the issue was created.'),
    issueId: out.text('The id of the issue.'),
  },
  run: async (client, { team, title, description, labels = [] }) => {
    const teamId = valueAt(await ask(client, teamQuery, { name: team }), 'teams.nodes.0.id');
    if (teamId === undefined) throw new TaskFailed(`Linear has no team "${team}".`, { retry: false });
    const found =
      labels.length === 0
        ? []
        : mapsIn(valueAt(await ask(client, labelQuery, { names: labels }), 'issueLabels.nodes'));
    const missing = labels.filter((label) => !found.some(({ name }) => name === label));
    if (missing.length > 0)
      throw new TaskFailed(`Linear has no label "${missing.join('", "')}".`, { retry: false });
    const labelIds = found.map(({ id }) => id);
    const input = { teamId, title, description, ...(labelIds.length > 0 && { labelIds }) };
    const { success, issue } = mapIn(valueAt(await ask(client, createMutation, { input }), 'issueCreate'));
    return { isSuccess: success === true, issueId: mapIn(issue).id };
  },
  example: { team: 'Data', title: 'The nightly load failed', description: 'See the log.', labels: ['Bug'] },
});

export const linearTypes = [create];
