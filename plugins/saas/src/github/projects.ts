import {
  type FetchType,
  fetchRows,
  isMap,
  type JsonMap,
  mapIn,
  mapsIn,
  TaskFailed,
  textOf,
} from '@millrace/plugin-kit';
import type { RestClient } from '../rest/client.ts';
import { out, valueAt } from '../rest/outputs.ts';
import { may, need, preset } from '../rest/properties.ts';
import { github } from './github.ts';

export const projectItems = `query($organization: String!, $number: Int!, $after: String) {
  organization(login: $organization) { projectV2(number: $number) { items(first: 100, after: $after) {
    totalCount pageInfo { hasNextPage endCursor }
    nodes { id type createdAt updatedAt
      content {
        ... on Issue { title number url state repository { nameWithOwner } labels(first: 50) { nodes { name } } assignees(first: 20) { nodes { login } } }
        ... on PullRequest { title number url state repository { nameWithOwner } labels(first: 50) { nodes { name } } assignees(first: 20) { nodes { login } } }
        ... on DraftIssue { title }
      }
      fieldValues(first: 50) { nodes {
        ... on ProjectV2ItemFieldTextValue { text field { ... on ProjectV2FieldCommon { name } } }
        ... on ProjectV2ItemFieldNumberValue { number field { ... on ProjectV2FieldCommon { name } } }
        ... on ProjectV2ItemFieldDateValue { date field { ... on ProjectV2FieldCommon { name } } }
        ... on ProjectV2ItemFieldSingleSelectValue { name field { ... on ProjectV2FieldCommon { name } } }
        ... on ProjectV2ItemFieldIterationValue { title field { ... on ProjectV2FieldCommon { name } } }
      } }
    }
  } } }
}`;

export const listProjectItems = github.task({
  type: 'projects.List',
  title: 'List the items of a project',
  description:
    'Lists issues, pull requests and drafts of a project of an organization, with the fields of the project, through the GraphQL API.',
  properties: {
    organization: need.text('The organization.'),
    projectNumber: need.integer('The number of the project, as its address shows it.'),
    fields: may.textMap('Only items whose fields have these values.'),
    status: may.texts('Only items whose field `Status` has one of these values.'),
    labels: may.texts('Only items with one of these labels.'),
    limit: preset.integer(0, 'The most items; 0 for all.'),
    fetchType: preset.fetchType('STORE', 'rows'),
  },
  output: {
    rows: out.maps('The items, with `FETCH`.'),
    row: out.map('The first item, with `FETCH_ONE`.'),
    uri: out.text('The file with one item a line, with `STORE`.'),
    size: out.integer('How many items there are.'),
    total: out.integer('How many items the project has.'),
  },
  run: async (client, input, context) => {
    const found = { total: 0 };
    const kind: FetchType = input.fetchType;
    const fetched = await fetchRows(context, kind, matching(client, input, found));
    return { ...fetched, ...found };
  },
  example: { organization: 'acme', projectNumber: 7, status: ['In Progress'], limit: 50 },
});

interface Filter {
  readonly organization: string;
  readonly projectNumber: number;
  readonly fields?: Readonly<Record<string, string>> | undefined;
  readonly status?: readonly string[] | undefined;
  readonly labels?: readonly string[] | undefined;
  readonly limit: number;
}

async function* matching(
  client: RestClient,
  filter: Filter,
  found: { total: number },
): AsyncGenerator<JsonMap> {
  let count = 0;
  for await (const item of items(client, filter, found)) {
    if (!matches(item, filter)) continue;
    yield item;
    count++;
    if (filter.limit > 0 && count >= filter.limit) return;
  }
}

async function* items(client: RestClient, filter: Filter, found: { total: number }): AsyncGenerator<JsonMap> {
  const { organization, projectNumber: number } = filter;
  for (let after: unknown; ; ) {
    const variables = { organization, number, ...(after !== undefined && { after }) };
    const response = await client.ask({
      method: 'POST',
      path: '/graphql',
      body: { query: projectItems, variables },
    });
    const [problem] = mapsIn(response.errors);
    if (problem)
      throw new TaskFailed(`GitHub refuses the query: ${textOf(problem.message)}`, { retry: false });
    const page = mapIn(valueAt(response, 'data.organization.projectV2.items'));
    found.total = Number(page.totalCount ?? 0);
    for (const node of mapsIn(page.nodes)) yield toItem(node);
    const { hasNextPage, endCursor } = mapIn(page.pageInfo);
    if (hasNextPage !== true) return;
    after = endCursor;
  }
}

/** One item with its fields by name. */
function toItem({ content, fieldValues, ...item }: JsonMap): JsonMap {
  const { repository, labels, assignees, ...rest } = mapIn(content);
  const fields = mapsIn(mapIn(fieldValues).nodes).flatMap((value) => {
    const name = textOf(valueAt(value, 'field.name'));
    return name === undefined
      ? []
      : [[name, value.text ?? value.number ?? value.date ?? value.name ?? value.title]];
  });
  return {
    ...item,
    ...rest,
    ...(isMap(repository) && { repository: repository.nameWithOwner }),
    labels: mapsIn(mapIn(labels).nodes).map(({ name }) => name),
    assignees: mapsIn(mapIn(assignees).nodes).map(({ login }) => login),
    fields: Object.fromEntries(fields),
  };
}

function matches(item: JsonMap, { fields = {}, status, labels }: Filter): boolean {
  const own = mapIn(item.fields);
  const itsLabels: readonly unknown[] = Array.isArray(item.labels) ? item.labels : [];
  return (
    Object.entries(fields).every(([name, value]) => String(own[name] ?? '') === value) &&
    (status === undefined || status.includes(String(own.Status ?? ''))) &&
    (labels === undefined || labels.some((label) => itsLabels.includes(label)))
  );
}
