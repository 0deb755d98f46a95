import { createHmac, timingSafeEqual } from 'node:crypto';
import { mapsIn, readJsonMap, TaskFailed } from '@millrace/plugin-kit';
import { bearer } from '../rest/auth.ts';
import { type OutputFields, out } from '../rest/outputs.ts';
import { may, need, preset } from '../rest/properties.ts';
import { defineService } from '../rest/service.ts';

const stripe = defineService({
  name: 'Stripe',
  prefix: 'stripe',
  baseUrl: 'https://api.stripe.com/v1',
  properties: { apiKey: need.secret('The secret key of the account, or a restricted key.') },
  auth: ({ apiKey }) => bearer(apiKey),
  example: { apiKey: "{{ secret('STRIPE_KEY') }}" },
});

const customerId = { customerId: need.text('The id of the customer.') };
const customerExample = { customerId: 'cus_1' };
const customer: OutputFields = {
  customerId: out.text('The id of the customer.', 'id'),
  customerData: out.map('The customer.', ''),
};
const intentId = out.text('The id of the payment intent.', 'id');
const methodId = { paymentMethodId: need.text('The id of the payment method.') };
const status = out.text('Its state.');
const asText = out.text('The response as JSON.');

const balance = stripe.task({
  type: 'balance.Retrieve',
  title: 'Get the balance of Stripe',
  description: 'Reads the balance of the account.',
  request: 'GET /balance',
  output: {
    available: out.maps('What can be paid out.'),
    pending: out.maps('What cannot be paid out yet.'),
    raw: out.map('The response.', ''),
  },
  example: {},
});

const createCustomer = stripe.task({
  type: 'customer.Create',
  title: 'Create a customer in Stripe',
  description: 'Creates a customer.',
  properties: {
    name: need.text('The name.'),
    email: need.text('The mail address.'),
    metadata: may.map('Keys and values of yours.'),
    includeFullCustomerData: preset.flag(false, 'Return all of the customer as `customerData`.'),
  },
  request: 'POST /customers',
  form: ['name', 'email', 'metadata'],
  output: {
    customerId: out.text('The id of the customer.', 'id'),
    customerData: out.map('The customer, if wanted.', 'none'),
  },
  result: ({ body }, { includeFullCustomerData }) => ({
    customerData: includeFullCustomerData ? body : undefined,
  }),
  example: { name: 'Ada', email: 'ada@example.com', metadata: { team: 'data' } },
});

const getCustomer = stripe.task({
  type: 'customer.Get',
  title: 'Get a customer of Stripe',
  description: 'Reads one customer.',
  properties: customerId,
  request: 'GET /customers/{customerId}',
  output: customer,
  example: customerExample,
});

const updateCustomer = stripe.task({
  type: 'customer.Update',
  title: 'Update a customer of Stripe',
  description: 'Changes the given fields of a customer.',
  properties: {
    ...customerId,
    name: may.text('The name.'),
    email: may.text('The mail address.'),
    metadata: may.map('Keys and values of yours.'),
  },
  request: 'POST /customers/{customerId}',
  form: ['name', 'email', 'metadata'],
  output: customer,
  example: { ...customerExample, email: 'ada@example.com' },
});

const deleteCustomer = stripe.task({
  type: 'customer.Delete',
  title: 'Delete a customer of Stripe',
  description: 'Deletes a customer permanently, and ends their subscriptions.',
  properties: customerId,
  request: 'DELETE /customers/{customerId}',
  output: { ...customer, deleted: out.flag('Whether the customer was deleted.') },
  example: customerExample,
});

const listCustomers = stripe.task({
  type: 'customer.List',
  title: 'List customers of Stripe',
  description: 'Lists the newest customers.',
  properties: {
    limit: preset.integer(10, 'The most customers, at most 100.'),
    email: may.text('Only with this mail address.'),
  },
  request: 'GET /customers',
  query: ['limit', 'email'],
  output: { customers: out.maps('The customers.', 'data'), totalCount: out.integer('How many there are.') },
  result: ({ body }) => ({ totalCount: mapsIn((body as { data?: unknown }).data).length }),
  example: { email: 'ada@example.com' },
});

const createIntent = stripe.task({
  type: 'payment.CreateIntent',
  title: 'Create a payment intent in Stripe',
  description: 'Creates an intent to collect a payment.',
  properties: {
    amount: need.integer('The amount in the smallest unit of the currency.'),
    currency: need.text('The currency, such as `eur`.'),
    customer: need.text('The id of the customer.'),
  },
  request: 'POST /payment_intents',
  form: ['amount', 'currency', 'customer'],
  output: { paymentIntentId: intentId, status, rawResponse: out.map('The response.', '') },
  example: { amount: 1250, currency: 'eur', customer: 'cus_1' },
});

const confirmIntent = stripe.task({
  type: 'payment.ConfirmIntent',
  title: 'Confirm a payment intent of Stripe',
  description: 'Confirms that the customer pays.',
  properties: {
    paymentIntentId: need.text('The id of the payment intent.'),
    paymentMethod: may.text('The id of the payment method.'),
    returnUrl: may.text('Where the customer returns to.'),
  },
  request: 'POST /payment_intents/{paymentIntentId}/confirm',
  form: { payment_method: 'paymentMethod', return_url: 'returnUrl' },
  output: { paymentIntentId: intentId, status, raw: asText },
  result: ({ body }) => ({ raw: JSON.stringify(body) }),
  example: { paymentIntentId: 'pi_1', paymentMethod: 'pm_1' },
});

const listIntents = stripe.task({
  type: 'payment.ListIntents',
  title: 'List payment intents of Stripe',
  description: 'Lists the newest payment intents.',
  properties: { limit: may.integer('The most, at most 100.'), customer: may.text('Only of this customer.') },
  request: 'GET /payment_intents',
  query: ['limit', 'customer'],
  output: {
    count: out.integer('How many there are.'),
    paymentIntents: out.maps('The payment intents.', 'data'),
  },
  result: ({ body }) => ({ count: mapsIn((body as { data?: unknown }).data).length }),
  example: { limit: 5, customer: 'cus_1' },
});

const createMethod = stripe.task({
  type: 'payment.CreateMethod',
  title: 'Create a payment method in Stripe',
  description: 'Creates a payment method. Numbers of real cards need an account that may handle them.',
  properties: {
    paymentMethodType: need.text('The type, such as `card`.'),
    cardNumber: may.secret('The number of the card.'),
    expMonth: may.integer('The month in which the card expires.'),
    expYear: may.integer('The year in which the card expires.'),
    cvc: may.secret('The code of the card.'),
  },
  request: 'POST /payment_methods',
  form: ({ paymentMethodType, cardNumber, expMonth, expYear, cvc }) => ({
    type: paymentMethodType,
    card:
      cardNumber === undefined
        ? undefined
        : { number: cardNumber, exp_month: expMonth, exp_year: expYear, cvc },
  }),
  output: {
    paymentMethodId: out.text('The id of the payment method.', 'id'),
    type: out.text('The type.'),
    rawResponse: out.map('The response.', ''),
  },
  example: {
    paymentMethodType: 'card',
    cardNumber: '4242424242424242',
    expMonth: 12,
    expYear: 2030,
    cvc: "{{ secret('CARD_CVC') }}",
  },
});

const attachMethod = stripe.task({
  type: 'payment.AttachMethod',
  title: 'Attach a payment method to a customer of Stripe',
  description: 'Saves a payment method for a customer.',
  properties: { ...methodId, ...customerId },
  request: 'POST /payment_methods/{paymentMethodId}/attach',
  form: { customer: 'customerId' },
  output: {
    paymentMethodId: out.text('The id of the payment method.', 'id'),
    customerId: out.text('The id of the customer.', 'customer'),
    type: out.text('The type.'),
    paymentMethodData: out.map('The payment method.', ''),
  },
  example: { paymentMethodId: 'pm_1', ...customerExample },
});

const detachMethod = stripe.task({
  type: 'payment.DetachMethod',
  title: 'Detach a payment method from a customer of Stripe',
  description: 'Removes a payment method from its customer.',
  properties: methodId,
  request: 'POST /payment_methods/{paymentMethodId}/detach',
  output: {
    id: out.text('The id of the payment method.'),
    customer: out.text('The customer, who is gone from it.'),
    type: out.text('The type.'),
    rawResponse: out.map('The response.', ''),
  },
  example: { paymentMethodId: 'pm_1' },
});

const listMethods = stripe.task({
  type: 'payment.ListMethods',
  title: 'List the payment methods of a customer of Stripe',
  description: 'Lists the payment methods of one type.',
  properties: { ...customerId, paymentMethodType: need.text('The type, such as `card`.') },
  request: 'GET /customers/{customerId}/payment_methods',
  query: { type: 'paymentMethodType' },
  output: {
    customerId: out.text('The id of the customer.'),
    paymentMethodIds: out.texts('The ids.'),
    raw: asText,
  },
  result: ({ body }, { customerId: id }) => ({
    customerId: id,
    paymentMethodIds: mapsIn((body as { data?: unknown }).data).map((one) => String(one.id)),
    raw: JSON.stringify(body),
  }),
  example: { ...customerExample, paymentMethodType: 'card' },
});

const refund = stripe.task({
  type: 'payment.Refund',
  title: 'Refund a payment with Stripe',
  description: 'Gives back all or a part of a payment.',
  properties: {
    chargeId: may.text('The id of the charge; or `paymentIntentId`.'),
    paymentIntentId: may.text('The id of the payment intent.'),
    amount: may.integer('The amount in the smallest unit of the currency; all when absent.'),
  },
  request: 'POST /refunds',
  form: { charge: 'chargeId', payment_intent: 'paymentIntentId', amount: 'amount' },
  output: {
    refundId: out.text('The id of the refund.', 'id'),
    status,
    amount: out.integer('The amount.'),
    currency: out.text('The currency.'),
    raw: asText,
  },
  result: ({ body }) => ({ raw: JSON.stringify(body) }),
  example: { paymentIntentId: 'pi_1', amount: 250 },
});

/** The maximum age of an event; older events may be replay attacks. */
const oldestSeconds = 300;

const handleEvent = stripe.task({
  type: 'webhook.HandleEvent',
  title: 'Check and read an event of a webhook of Stripe',
  description:
    'Checks the signature of an event that a webhook trigger received, and returns its parts. An event with a wrong signature, or one older than five minutes, fails the task.',
  properties: {
    payload: need.text('The body of the request exactly as it came.'),
    signatureHeader: need.text('The header `Stripe-Signature`.'),
    endpointSecret: need.secret('The signing secret of the webhook.'),
  },
  output: {
    id: out.text('The id of the event.'),
    type: out.text('The type of the event.'),
    data: out.map('What the event is about.'),
    raw: out.text('The event as JSON.'),
  },
  run: async (_, { payload, signatureHeader, endpointSecret }) => {
    const parts = signatureHeader.split(',').map((part) => part.split('='));
    const time = parts.find(([name]) => name === 't')?.[1] ?? '';
    const wanted = createHmac('sha256', endpointSecret).update(`${time}.${payload}`).digest();
    const isSigned = parts
      .filter(([name]) => name === 'v1')
      .map(([, hex = '']) => Buffer.from(hex, 'hex'))
      .some((given) => given.length === wanted.length && timingSafeEqual(given, wanted));
    if (!isSigned) throw new TaskFailed('The signature of the event is wrong.', { retry: false });
    if (Math.abs(Date.now() / 1000 - Number(time)) > oldestSeconds)
      throw new TaskFailed('The event is older than five minutes.', { retry: false });
    const { id, type, data } = readJsonMap(payload, 'payload');
    return { id, type, data, raw: payload };
  },
  example: {
    payload: '{{ trigger.body | toJson }}',
    signatureHeader: "{{ trigger.headers['Stripe-Signature'][0] }}",
    endpointSecret: "{{ secret('STRIPE_WEBHOOK_SECRET') }}",
  },
});

export const stripeTypes = [
  balance,
  createCustomer,
  getCustomer,
  updateCustomer,
  deleteCustomer,
  listCustomers,
  createIntent,
  confirmIntent,
  listIntents,
  createMethod,
  attachMethod,
  detachMethod,
  listMethods,
  refund,
  handleEvent,
];
