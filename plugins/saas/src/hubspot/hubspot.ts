import { dropMissing, fetchRows, type JsonMap, mapIn, textOf } from '@millrace/plugin-kit';
import { bearer } from '../rest/auth.ts';
import type { RestClient } from '../rest/client.ts';
import { out } from '../rest/outputs.ts';
import { readRows } from '../rest/paging.ts';
import { type InputOf, may, need, type Properties, preset, requestOptions } from '../rest/properties.ts';
import { defineService } from '../rest/service.ts';

const hubspot = defineService({
  name: 'HubSpot',
  prefix: 'hubspot',
  baseUrl: 'https://api.hubapi.com',
  properties: {
    apiKey: may.secret('The access token of a private app.'),
    oauthToken: may.secret('An OAuth token, instead of `apiKey`.'),
    ...requestOptions,
  },
  auth: ({ apiKey, oauthToken }) => {
    const token = oauthToken ?? apiKey;
    return token === undefined ? undefined : bearer(token);
  },
  example: { apiKey: "{{ secret('HUBSPOT_TOKEN') }}" },
});

const more = { additionalProperties: may.map('More properties of the object, by their names in HubSpot.') };
const stored = {
  id: out.integer('The id of the object.'),
  uri: out.text('A file with the object as JSON.'),
};

/** An object in the outputs: its id, and all of it as a file. */
const keep = async (
  files: { put(name: string, content: string): Promise<string> },
  object: JsonMap,
): Promise<JsonMap> => ({
  id: Number(object.id),
  uri: await files.put('object.json', JSON.stringify(object)),
});

interface Kind<P extends Properties, U extends Properties> {
  /** The plural, as in types and addresses. */
  readonly plural: string;
  readonly singular: string;
  readonly idProperty: string;
  readonly create: P;
  readonly update: U;
  /** The properties of the object by their names in HubSpot. */
  readonly toObject: (input: InputOf<P> | InputOf<U>) => JsonMap;
  /** Objects that a new object belongs to. */
  readonly linksOf?: (input: InputOf<P> | InputOf<U>) => readonly Link[];
  readonly example: JsonMap;
}

interface Link {
  readonly plural: string;
  readonly id: number;
}

function crudOf<P extends Properties, U extends Properties>(kind: Kind<P, U>) {
  const { plural, singular, idProperty, linksOf = () => [] } = kind;
  const path = `/crm/v3/objects/${plural}`;
  const idOf = (input: unknown) => encodeURIComponent(String(mapIn(input)[idProperty]));
  const id = { [idProperty]: need.text(`The id of the ${singular}.`) };
  // `as`: the properties of the kind are among those of the call.
  const objectOf = (input: unknown) => {
    const values = input as InputOf<P>;
    return dropMissing({ ...kind.toObject(values), ...mapIn(mapIn(input).additionalProperties) });
  };
  const link = async (client: RestClient, input: unknown, objectId: unknown) => {
    for (const { plural: other, id: otherId } of linksOf(input as InputOf<P>))
      await client.send({
        method: 'PUT',
        path: `/crm/v4/objects/${plural}/${objectId}/associations/default/${other}/${otherId}`,
      });
  };
  return [
    hubspot.task({
      type: `${plural}.Create`,
      title: `Create a ${singular} in HubSpot`,
      description: `Creates a ${singular}.`,
      properties: { ...kind.create, ...more },
      output: stored,
      run: async (client, input, { files }) => {
        const created = await client.ask({ method: 'POST', path, body: { properties: objectOf(input) } });
        await link(client, input, created.id);
        return keep(files, created);
      },
      example: kind.example,
    }),
    hubspot.task({
      type: `${plural}.Get`,
      title: `Get a ${singular} of HubSpot`,
      description: `Reads one ${singular}.`,
      properties: { ...id, properties: may.texts('The properties to read; those of HubSpot by default.') },
      output: stored,
      run: async (client, input, { files }) => {
        const wanted = mapIn(input).properties;
        const query = { properties: Array.isArray(wanted) ? wanted.join(',') : undefined };
        return keep(files, await client.ask({ path: `${path}/${idOf(input)}`, query }));
      },
      example: { [idProperty]: '101', properties: ['name'] },
    }),
    hubspot.task({
      type: `${plural}.Update`,
      title: `Update a ${singular} of HubSpot`,
      description: `Changes the given properties of a ${singular}.`,
      properties: { ...id, ...kind.update, ...more },
      output: stored,
      run: async (client, input, { files }) => {
        const body = { properties: objectOf(input) };
        const changed = await client.ask({ method: 'PATCH', path: `${path}/${idOf(input)}`, body });
        await link(client, input, changed.id);
        return keep(files, changed);
      },
      example: { [idProperty]: '101', additionalProperties: { city: 'Paris' } },
    }),
    hubspot.task({
      type: `${plural}.Delete`,
      title: `Delete a ${singular} of HubSpot`,
      description: `Moves a ${singular} to the recycle bin.`,
      properties: id,
      request: `DELETE ${path}/{${idProperty}}` as const,
      example: { [idProperty]: '101' },
    }),
    hubspot.task({
      type: `${plural}.Search`,
      title: `Search ${plural} of HubSpot`,
      description: `Searches ${plural} and stores them as a file.`,
      properties: {
        query: may.text('Words to search for.'),
        filterGroups: may.maps('Groups of filters: `filters` with `propertyName`, `operator` and `value`.'),
        properties: may.texts('The properties to read.'),
        limit: preset.integer(10, 'The most objects of one page, at most 200.'),
        after: may.text('Where to begin, as HubSpot names it.'),
        sorts: may.maps('The order: `propertyName` and `direction`.'),
        fetchAllPages: preset.flag(false, 'Read all pages instead of one.'),
      },
      output: {
        total: out.integer('How many objects match.'),
        uri: out.text('A file with one object a line.'),
      },
      run: async (client, { fetchAllPages, ...body }, context) => {
        let total = 0;
        const { options: _, apiKey: __, oauthToken: ___, ...search } = body;
        const rows = readRows(client, {
          request: { method: 'POST', path: `${path}/search`, body: dropMissing(search) },
          at: 'results',
          ...(fetchAllPages && {
            paging: { kind: 'cursor', parameter: 'after', next: 'paging.next.after', in: 'body' } as const,
          }),
          onPage: ({ body: page }) => {
            total = Number(mapIn(page).total ?? 0);
          },
        });
        const { uri } = await fetchRows(context, 'STORE', rows);
        return { total, uri };
      },
      example: { query: 'example', properties: ['name'] },
    }),
  ];
}

const company = {
  companyDescription: may.text('A description.'),
  industry: may.text('The industry, as HubSpot names it.'),
  companyType: may.text('The type, such as `PROSPECT`.'),
};

const companies = crudOf({
  plural: 'companies',
  singular: 'company',
  idProperty: 'companyId',
  create: { name: need.text('The name.'), domain: need.text('The domain of its website.'), ...company },
  update: { name: may.text('The name.'), domain: may.text('The domain of its website.'), ...company },
  toObject: ({ name, domain, companyDescription, industry, companyType }) => ({
    name,
    domain,
    description: companyDescription,
    industry,
    type: companyType,
  }),
  example: { name: 'Acme', domain: 'acme.example.com', companyDescription: 'Rockets' },
});

const contact = {
  firstName: may.text('The first name.'),
  lastName: may.text('The last name.'),
  phone: may.text('The phone number.'),
  jobTitle: may.text('The job title.'),
  lifecycleStage: may.text('The stage, such as `lead`.'),
};

const contacts = crudOf({
  plural: 'contacts',
  singular: 'contact',
  idProperty: 'contactId',
  create: { email: need.text('The mail address.'), ...contact },
  update: { email: may.text('The mail address.'), ...contact },
  toObject: ({ email, firstName, lastName, phone, jobTitle, lifecycleStage }) => ({
    email,
    firstname: firstName,
    lastname: lastName,
    phone,
    jobtitle: jobTitle,
    lifecyclestage: lifecycleStage,
  }),
  example: { email: 'ada@example.com', firstName: 'Ada', lifecycleStage: 'lead' },
});

const deal = {
  amount: may.decimal('The amount.'),
  closeDate: may.text('The date on which it closes.'),
  dealType: may.text('The type, such as `newbusiness`.'),
  associatedCompanyIds: may.integers('The companies it belongs to.'),
  associatedContactIds: may.integers('The contacts it belongs to.'),
};

const deals = crudOf({
  plural: 'deals',
  singular: 'deal',
  idProperty: 'dealId',
  create: {
    name: need.text('The name.'),
    pipeline: need.text('The pipeline.'),
    stage: need.text('The stage of the pipeline.'),
    ...deal,
  },
  update: {
    name: may.text('The name.'),
    pipeline: may.text('The pipeline.'),
    stage: may.text('The stage of the pipeline.'),
    ...deal,
  },
  toObject: ({ name, pipeline, stage, amount, closeDate, dealType }) => ({
    dealname: name,
    pipeline,
    dealstage: stage,
    amount: textOf(amount),
    closedate: closeDate,
    dealtype: dealType,
  }),
  linksOf: ({ associatedCompanyIds = [], associatedContactIds = [] }) => [
    ...associatedCompanyIds.map((id) => ({ plural: 'companies', id })),
    ...associatedContactIds.map((id) => ({ plural: 'contacts', id })),
  ],
  example: {
    name: 'Rockets',
    pipeline: 'default',
    stage: 'closedwon',
    amount: 1500.5,
    associatedCompanyIds: [101],
  },
});

const createTicket = hubspot.task({
  type: 'tickets.Create',
  title: 'Create a ticket in HubSpot',
  description: 'Creates a ticket.',
  properties: {
    subject: may.text('The subject.'),
    content: may.text('The text.'),
    pipeline: may.integer('The pipeline.'),
    stage: preset.integer(1, 'The stage of the pipeline.'),
    priority: may.choice(['LOW', 'MEDIUM', 'HIGH'], 'The priority.'),
    ...more,
  },
  output: stored,
  run: async (client, { subject, content, pipeline, stage, priority, additionalProperties }, { files }) => {
    const properties = dropMissing({
      subject,
      content,
      hs_pipeline: textOf(pipeline),
      hs_pipeline_stage: textOf(stage),
      hs_ticket_priority: priority,
      ...additionalProperties,
    });
    return keep(
      files,
      await client.ask({ method: 'POST', path: '/crm/v3/objects/tickets', body: { properties } }),
    );
  },
  example: { subject: 'The nightly load failed', priority: 'HIGH' },
});

export const hubspotTypes = [...companies, ...contacts, ...deals, createTicket];
