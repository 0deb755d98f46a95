import { setTimeout as delay } from 'node:timers/promises';
import { fetchRows, type JsonMap, mapIn, type TaskContext } from '@millrace/plugin-kit';
import type { RestClient } from '../rest/client.ts';
import { out } from '../rest/outputs.ts';
import { readRows } from '../rest/paging.ts';
import { may, need, preset } from '../rest/properties.ts';
import { defineService } from '../rest/service.ts';

const shopify = defineService({
  name: 'Shopify',
  prefix: 'shopify',
  properties: {
    storeDomain: need.text('The domain of the store, such as `acme.myshopify.com`.'),
    accessToken: need.secret('The access token of an app.'),
    apiVersion: preset.text('2024-10', 'The version of the Admin API.'),
    rateLimitDelay: preset.duration('PT0.5S', 'The pause between the pages of a list.'),
  },
  baseUrl: ({ storeDomain, apiVersion }) =>
    `https://${storeDomain.replace(/^https?:\/\/|\/+$/g, '')}/admin/api/${apiVersion}`,
  auth: ({ accessToken }) => ({ headers: { 'x-shopify-access-token': accessToken } }),
  example: { storeDomain: 'acme.myshopify.com', accessToken: "{{ secret('SHOPIFY_TOKEN') }}" },
});

const listProperties = {
  fetchType: preset.fetchType('FETCH', 'rows'),
  limit: may.integer('The most rows; all when absent.'),
};
const dates = {
  createdAtMin: may.text('Only those created after this time.'),
  createdAtMax: may.text('Only those created before this time.'),
  updatedAtMin: may.text('Only those changed after this time.'),
  updatedAtMax: may.text('Only those changed before this time.'),
};
const listOutput = (plural: string) => ({
  [plural]: out.maps(`The ${plural}, with \`FETCH\`; with \`FETCH_ONE\` the first.`),
  count: out.integer('How many there are.'),
  uri: out.text('A file with one a line, with `STORE`.'),
});

interface Listing {
  readonly fetchType: 'STORE' | 'FETCH' | 'FETCH_ONE' | 'NONE';
  readonly limit?: number | undefined;
  readonly rateLimitDelay: number;
}

async function list(
  client: RestClient,
  context: TaskContext,
  plural: string,
  { fetchType, limit, rateLimitDelay }: Listing,
  query: JsonMap,
): Promise<JsonMap> {
  async function* rows(): AsyncGenerator<JsonMap> {
    let left = 0;
    const request = { path: `/${plural}.json`, query: { limit: Math.min(limit ?? 250, 250), ...query } };
    const onPage = ({ body }: { body: unknown }) => {
      const found = mapIn(body)[plural];
      left = Array.isArray(found) ? found.length : 0;
    };
    for await (const row of readRows(client, {
      request,
      at: plural,
      paging: { kind: 'link' },
      limit,
      onPage,
    })) {
      yield row;
      // After the last row of a page, wait for the delay that Shopify requires before the next request.
      if (--left === 0) await delay(rateLimitDelay, undefined, { signal: context.signal });
    }
  }
  const fetched = await fetchRows(context, fetchType, rows());
  return {
    [plural]: fetched.rows ?? (fetched.row ? [fetched.row] : undefined),
    count: fetched.size,
    uri: fetched.uri,
  };
}

const customerId = { customerId: need.integer('The id of the customer.') };
const customer = { customer: out.map('The customer.') };

const createCustomer = shopify.task({
  type: 'customers.Create',
  title: 'Create a customer in Shopify',
  description: 'Creates a customer.',
  properties: {
    email: need.text('The mail address.'),
    firstName: may.text('The first name.'),
    lastName: may.text('The last name.'),
    phone: may.text('The phone number.'),
  },
  request: 'POST /customers.json',
  body: ({ email, firstName, lastName, phone }) => ({
    customer: { email, first_name: firstName, last_name: lastName, phone },
  }),
  output: customer,
  example: { email: 'ada@example.com', firstName: 'Ada' },
});

const getCustomer = shopify.task({
  type: 'customers.Get',
  title: 'Get a customer of Shopify',
  description: 'Reads one customer.',
  properties: customerId,
  request: 'GET /customers/{customerId}.json',
  output: customer,
  example: { customerId: 207119551 },
});

const deleteCustomer = shopify.task({
  type: 'customers.Delete',
  title: 'Delete a customer of Shopify',
  description: 'Deletes a customer without orders.',
  properties: customerId,
  request: 'DELETE /customers/{customerId}.json',
  example: { customerId: 207119551 },
});

const listCustomers = shopify.task({
  type: 'customers.List',
  title: 'List the customers of Shopify',
  description: 'Lists the customers of a store.',
  properties: listProperties,
  output: listOutput('customers'),
  run: (client, input, context) => list(client, context, 'customers', input, {}),
  example: { limit: 50 },
});

const listOrders = shopify.task({
  type: 'orders.List',
  title: 'List the orders of Shopify',
  description: 'Lists the orders of a store.',
  properties: {
    ...listProperties,
    ...dates,
    sinceId: may.integer('Only those after this id.'),
    status: may.text('`open`, `closed`, `cancelled` or `any`.'),
    financialStatus: may.text('The state of the payment, such as `paid`.'),
    fulfillmentStatus: may.text('The state of the delivery, such as `shipped`.'),
  },
  output: listOutput('orders'),
  run: (client, input, context) =>
    list(client, context, 'orders', input, {
      since_id: input.sinceId,
      status: input.status,
      financial_status: input.financialStatus,
      fulfillment_status: input.fulfillmentStatus,
      created_at_min: input.createdAtMin,
      created_at_max: input.createdAtMax,
      updated_at_min: input.updatedAtMin,
      updated_at_max: input.updatedAtMax,
    }),
  example: { status: 'any', createdAtMin: '2026-01-31T00:00:00Z', fetchType: 'STORE' },
});

const deleteOrder = shopify.task({
  type: 'orders.Delete',
  title: 'Delete an order of Shopify',
  description: 'Deletes an order.',
  properties: { orderId: need.integer('The id of the order.') },
  request: 'DELETE /orders/{orderId}.json',
  output: {
    orderId: out.integer('The id of the order.'),
    deleted: out.flag('True: a missing order fails the task.'),
  },
  result: (_, { orderId }) => ({ orderId, deleted: true }),
  example: { orderId: 450789469 },
});

const listProducts = shopify.task({
  type: 'products.List',
  title: 'List the products of Shopify',
  description: 'Lists the products of a store.',
  properties: {
    ...listProperties,
    ...dates,
    sinceId: may.integer('Only those after this id.'),
    status: may.choice(['ACTIVE', 'ARCHIVED', 'DRAFT'], 'Only those in this state.'),
    publishedStatus: may.choice(
      ['PUBLISHED', 'UNPUBLISHED', 'ANY'],
      'Only those that are published, or not.',
    ),
    productType: may.text('Only those of this type.'),
    vendor: may.text('Only those of this vendor.'),
    handle: may.text('Only those with this handle.'),
  },
  output: listOutput('products'),
  run: (client, input, context) =>
    list(client, context, 'products', input, {
      since_id: input.sinceId,
      status: input.status?.toLowerCase(),
      published_status: input.publishedStatus?.toLowerCase(),
      product_type: input.productType,
      vendor: input.vendor,
      handle: input.handle,
      created_at_min: input.createdAtMin,
      created_at_max: input.createdAtMax,
      updated_at_min: input.updatedAtMin,
      updated_at_max: input.updatedAtMax,
    }),
  example: { status: 'ACTIVE', vendor: 'Acme' },
});

const updateProduct = shopify.task({
  type: 'products.Update',
  title: 'Update a product of Shopify',
  description: 'Changes the given fields of a product.',
  properties: {
    productId: may.integer('The id of the product.'),
    title: may.text('The title.'),
    bodyHtml: may.text('The description, as HTML.'),
    vendor: may.text('The vendor.'),
    productType: may.text('The type.'),
    tags: may.text('The tags, separated by commas.'),
    status: may.text('`active`, `archived` or `draft`.'),
    handle: may.text('The handle.'),
    templateSuffix: may.text('The template of its page.'),
    publishedScope: may.text('Where it is published.'),
    seoTitle: may.text('The title for search engines.'),
    seoDescription: may.text('The description for search engines.'),
  },
  request: 'PUT /products/{productId}.json',
  body: (input) => ({
    product: {
      id: input.productId,
      title: input.title,
      body_html: input.bodyHtml,
      vendor: input.vendor,
      product_type: input.productType,
      tags: input.tags,
      status: input.status?.toLowerCase(),
      handle: input.handle,
      template_suffix: input.templateSuffix,
      published_scope: input.publishedScope,
      metafields_global_title_tag: input.seoTitle,
      metafields_global_description_tag: input.seoDescription,
    },
  }),
  output: { product: out.map('The product.') },
  example: { productId: 632910392, title: 'Rocket', tags: 'new, red' },
});

export const shopifyTypes = [
  createCustomer,
  getCustomer,
  deleteCustomer,
  listCustomers,
  listOrders,
  deleteOrder,
  listProducts,
  updateProduct,
];
