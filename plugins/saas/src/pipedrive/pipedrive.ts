import { dropMissing, type JsonMap, mapIn } from '@millrace/plugin-kit';
import { out } from '../rest/outputs.ts';
import { may, need, preset } from '../rest/properties.ts';
import { defineService } from '../rest/service.ts';

const pipedrive = defineService({
  name: 'Pipedrive',
  prefix: 'pipedrive',
  properties: {
    apiToken: need.secret('An API token.'),
    apiUrl: preset.text('https://api.pipedrive.com/api/v2', 'The address of the API.'),
  },
  baseUrl: ({ apiUrl }) => apiUrl,
  auth: ({ apiToken }) => ({ headers: { 'x-api-token': apiToken } }),
  example: { apiToken: "{{ secret('PIPEDRIVE_TOKEN') }}" },
});

const custom = { customFields: may.map('Fields of your own, by their keys.') };
const times = {
  addTime: out.text('When it was created.', 'data.add_time'),
  updateTime: out.text('When it was changed.', 'data.update_time'),
};
const one = {
  fetchType: preset.choice(
    ['STORE', 'FETCH', 'FETCH_ONE', 'NONE'],
    'FETCH_ONE',
    'How to return it: a file (`STORE`), the outputs (`FETCH`, `FETCH_ONE`) or nothing (`NONE`).',
  ),
};
const page = {
  limit: may.integer('The most rows of one page.'),
  cursor: may.text('Where to begin, see `nextCursor`.'),
};
const nextCursor = { nextCursor: out.text('Where the next page begins.', 'additional_data.next_cursor') };

const deal = {
  value: may.decimal('The value.'),
  stageId: may.integer('The stage.'),
  status: may.text('`open`, `won`, `lost` or `deleted`.'),
  expectedCloseDate: may.text('The date on which it should close.'),
  probability: may.decimal('The probability in percent.'),
  ...custom,
};
const toDeal = (input: JsonMap): JsonMap =>
  dropMissing({
    title: input.title,
    value: input.value,
    currency: input.currency,
    person_id: input.personId,
    org_id: input.orgId,
    owner_id: input.userId,
    stage_id: input.stageId,
    status: input.status,
    expected_close_date: input.expectedCloseDate,
    probability: input.probability,
    lost_reason: input.lostReason,
    visible_to: input.visibleTo,
    custom_fields: input.customFields,
  });

const person = {
  orgId: may.integer('The organization.'),
  ownerId: may.integer('The owner.'),
  emails: may.maps('Mail addresses: `value`, `primary` and `label`.'),
  phones: may.maps('Phone numbers: `value`, `primary` and `label`.'),
  visibleTo: may.text('Who sees the person.'),
  ...custom,
};
const toPerson = (input: JsonMap): JsonMap =>
  dropMissing({
    name: input.name,
    org_id: input.orgId,
    owner_id: input.ownerId,
    emails: input.emails,
    phones: input.phones,
    visible_to: input.visibleTo,
    custom_fields: input.customFields,
  });

const createDeal = pipedrive.task({
  type: 'deals.Create',
  title: 'Create a deal in Pipedrive',
  description: 'Creates a deal.',
  properties: {
    title: need.text('The title.'),
    ...deal,
    currency: may.text('The currency, such as `EUR`.'),
    personId: may.integer('The person.'),
    orgId: may.integer('The organization.'),
    userId: may.integer('The owner.'),
    visibleTo: may.text('Who sees the deal.'),
  },
  request: 'POST /deals',
  body: toDeal,
  output: { dealId: out.integer('The id of the deal.', 'data.id'), ...times },
  example: { title: 'Rockets', value: 1500, currency: 'EUR' },
});

const updateDeal = pipedrive.task({
  type: 'deals.Update',
  title: 'Update a deal of Pipedrive',
  description: 'Changes the given fields of a deal.',
  properties: {
    dealId: need.integer('The id of the deal.'),
    title: may.text('The title.'),
    ...deal,
    lostReason: may.text('Why it was lost.'),
  },
  request: 'PATCH /deals/{dealId}',
  body: toDeal,
  output: { dealId: out.integer('The id of the deal.', 'data.id'), updateTime: times.updateTime },
  example: { dealId: 42, status: 'won' },
});

const deleteDeal = pipedrive.task({
  type: 'deals.Delete',
  title: 'Delete a deal of Pipedrive',
  description: 'Deletes a deal.',
  properties: { dealId: need.integer('The id of the deal.') },
  request: 'DELETE /deals/{dealId}',
  output: { deleted: out.flag('Whether it was deleted.', 'success') },
  example: { dealId: 42 },
});

const getDeal = pipedrive.task({
  type: 'deals.Get',
  title: 'Get a deal of Pipedrive',
  description: 'Reads one deal.',
  properties: { ...one, dealId: need.integer('The id of the deal.') },
  output: { deal: out.map('The deal.'), uri: out.text('A file with the deal as JSON, with `STORE`.') },
  run: async (client, { dealId, fetchType }, { files }) => {
    const found = mapIn((await client.ask({ path: `/deals/${dealId}` })).data);
    if (fetchType === 'STORE') return { uri: await files.put('deal.json', JSON.stringify(found)) };
    return fetchType === 'NONE' ? {} : { deal: found };
  },
  example: { dealId: 42 },
});

const listDeals = pipedrive.task({
  type: 'deals.List',
  title: 'List the deals of Pipedrive',
  description: 'Reads one page of deals.',
  properties: {
    ...page,
    filterId: may.integer('Only those of this filter.'),
    personId: may.integer('Only those of this person.'),
    orgId: may.integer('Only those of this organization.'),
    pipelineId: may.integer('Only those of this pipeline.'),
    stageId: may.integer('Only those of this stage.'),
    status: may.text('Only those in this state.'),
    ownerId: may.integer('Only those of this owner.'),
  },
  request: 'GET /deals',
  query: {
    filter_id: 'filterId',
    person_id: 'personId',
    org_id: 'orgId',
    pipeline_id: 'pipelineId',
    stage_id: 'stageId',
    status: 'status',
    owner_id: 'ownerId',
    limit: 'limit',
    cursor: 'cursor',
  },
  rows: { at: 'data', names: { rows: 'deals', row: 'deal', size: 'count' } },
  output: nextCursor,
  example: { status: 'open', limit: 50 },
});

const createPerson = pipedrive.task({
  type: 'persons.Create',
  title: 'Create a person in Pipedrive',
  description: 'Creates a person.',
  properties: { name: need.text('The name.'), ...person },
  request: 'POST /persons',
  body: toPerson,
  output: { personId: out.integer('The id of the person.', 'data.id'), ...times },
  example: { name: 'Ada', emails: [{ value: 'ada@example.com', primary: true, label: 'work' }] },
});

const updatePerson = pipedrive.task({
  type: 'persons.Update',
  title: 'Update a person of Pipedrive',
  description: 'Changes the given fields of a person.',
  properties: { personId: need.integer('The id of the person.'), name: may.text('The name.'), ...person },
  request: 'PATCH /persons/{personId}',
  body: toPerson,
  output: { personId: out.integer('The id of the person.', 'data.id'), updateTime: times.updateTime },
  example: { personId: 7, name: 'Ada L.' },
});

const deletePerson = pipedrive.task({
  type: 'persons.Delete',
  title: 'Delete a person of Pipedrive',
  description: 'Deletes a person.',
  properties: { personId: need.integer('The id of the person.') },
  request: 'DELETE /persons/{personId}',
  output: { deleted: out.flag('Whether it was deleted.', 'success') },
  example: { personId: 7 },
});

const getPerson = pipedrive.task({
  type: 'persons.Get',
  title: 'Get a person of Pipedrive',
  description: 'Reads one person.',
  properties: { ...one, personId: need.integer('The id of the person.') },
  output: {
    person: out.map('The person, with `FETCH_ONE`.'),
    persons: out.maps('The person in a list, with `FETCH`.'),
    uri: out.text('A file with the person as JSON, with `STORE`.'),
    count: out.integer('How many there are.'),
  },
  run: async (client, { personId, fetchType }, { files }) => {
    const found = mapIn((await client.ask({ path: `/persons/${personId}` })).data);
    if (fetchType === 'STORE')
      return { uri: await files.put('person.json', JSON.stringify(found)), count: 1 };
    if (fetchType === 'FETCH') return { persons: [found], count: 1 };
    return fetchType === 'NONE' ? { count: 1 } : { person: found, count: 1 };
  },
  example: { personId: 7 },
});

const listPersons = pipedrive.task({
  type: 'persons.List',
  title: 'List the persons of Pipedrive',
  description: 'Reads one page of persons.',
  properties: {
    ...page,
    filterId: may.integer('Only those of this filter.'),
    orgId: may.integer('Only those of this organization.'),
    ownerId: may.integer('Only those of this owner.'),
  },
  request: 'GET /persons',
  query: { filter_id: 'filterId', org_id: 'orgId', owner_id: 'ownerId', limit: 'limit', cursor: 'cursor' },
  rows: { at: 'data', names: { rows: 'persons', row: 'person', size: 'count' } },
  output: nextCursor,
  example: { orgId: 3 },
});

export const pipedriveTypes = [
  createDeal,
  updateDeal,
  deleteDeal,
  getDeal,
  listDeals,
  createPerson,
  updatePerson,
  deletePerson,
  getPerson,
  listPersons,
];
