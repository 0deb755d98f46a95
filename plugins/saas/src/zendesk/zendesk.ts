import { basic, bearer } from '../rest/auth.ts';
import { out } from '../rest/outputs.ts';
import { may, need } from '../rest/properties.ts';
import { defineService } from '../rest/service.ts';

const zendesk = defineService({
  name: 'Zendesk',
  prefix: 'zendesk.tickets',
  properties: {
    domain: need.text('The address, such as `https://acme.zendesk.com`, or only `acme`.'),
    username: may.text('The mail address of the user, with `token`.'),
    token: may.secret('An API token.'),
    oauthToken: may.secret('An OAuth token, instead of a user.'),
  },
  baseUrl: ({ domain }) => {
    if (/^https?:\/\//.test(domain)) return domain;
    return `https://${domain.includes('.') ? domain : `${domain}.zendesk.com`}`;
  },
  auth: ({ username, token, oauthToken }) => {
    if (oauthToken) return bearer(oauthToken);
    return username && token ? basic(`${username}/token`, token) : undefined;
  },
  example: {
    domain: 'https://acme.zendesk.com',
    username: 'ada@example.com',
    token: "{{ secret('ZENDESK_TOKEN') }}",
  },
});

const create = zendesk.task({
  type: 'Create',
  title: 'Create a ticket in Zendesk',
  description: 'Creates a ticket.',
  properties: {
    subject: may.text('The subject.'),
    description: may.text('The first comment of the ticket.'),
    priority: may.choice(['URGENT', 'HIGH', 'NORMAL', 'LOW'], 'The priority.'),
    ticketType: may.choice(['PROBLEM', 'INCIDENT', 'QUESTION', 'TASK'], 'The type.'),
    assigneeId: may.integer('The id of the agent who is assigned.'),
    tags: may.texts('The tags.'),
  },
  request: 'POST /api/v2/tickets.json',
  body: ({ subject, description, priority, ticketType, assigneeId, tags }) => ({
    ticket: {
      subject,
      description,
      priority: priority?.toLowerCase(),
      type: ticketType?.toLowerCase(),
      tags,
      assignee_id: assigneeId,
    },
  }),
  output: {
    id: out.integer('The id of the ticket.', 'ticket.id'),
    url: out.text('The address in the API.', 'ticket.url'),
  },
  example: {
    subject: 'The nightly load failed',
    description: 'See the log.',
    priority: 'HIGH',
    ticketType: 'INCIDENT',
    tags: ['nightly'],
  },
});

export const zendeskTypes = [create];
