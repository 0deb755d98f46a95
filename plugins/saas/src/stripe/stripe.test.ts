import { createHmac } from 'node:crypto';
import { startServices, testCalls } from '../testing/exchange.ts';
import { stripeTypes } from './stripe.ts';

startServices();

const api = 'https://api.stripe.com/v1';
const customer = { id: 'cus_1', email: 'ada@example.com' };
const method = { id: 'pm_1', type: 'card', customer: 'cus_1' };
const intent = { id: 'pi_1', status: 'succeeded' };
const list = (one: object) => ({ object: 'list', data: [one] });
const refund = { id: 're_1', status: 'succeeded', amount: 250, currency: 'eur' };
const event = JSON.stringify({ id: 'evt_1', type: 'charge.succeeded', data: { object: { id: 'ch_1' } } });
const signed = (time: number) => {
  const hash = createHmac('sha256', 'STRIPE_WEBHOOK_SECRET').update(`${time}.${event}`).digest('hex');
  return { payload: event, signatureHeader: `t=${time},v1=${hash},v0=ignored` };
};
const now = Math.floor(Date.now() / 1000);

const card = {
  type: 'card',
  'card[number]': '4242424242424242',
  'card[exp_month]': '12',
  'card[exp_year]': '2030',
  'card[cvc]': 'CARD_CVC',
};

testCalls(stripeTypes, {
  headers: { authorization: 'Bearer STRIPE_KEY' },
  cases: [
    {
      type: 'stripe.balance.Retrieve',
      exchanges: [{ asks: `GET ${api}/balance`, replies: { available: [{ amount: 5 }], pending: [] } }],
      gives: { available: [{ amount: 5 }], pending: [], raw: { available: [{ amount: 5 }], pending: [] } },
    },
    {
      type: 'stripe.customer.Create',
      exchanges: [
        {
          asks: `POST ${api}/customers`,
          sends: { name: 'Ada', email: 'ada@example.com', 'metadata[team]': 'data' },
          replies: customer,
        },
      ],
      gives: { customerId: 'cus_1' },
    },
    {
      type: 'stripe.customer.Get',
      exchanges: [{ asks: `GET ${api}/customers/cus_1`, replies: customer }],
      gives: { customerId: 'cus_1', customerData: customer },
    },
    {
      type: 'stripe.customer.Update',
      exchanges: [
        { asks: `POST ${api}/customers/cus_1`, sends: { email: 'ada@example.com' }, replies: customer },
      ],
      gives: { customerId: 'cus_1', customerData: customer },
    },
    {
      type: 'stripe.customer.Delete',
      exchanges: [{ asks: `DELETE ${api}/customers/cus_1`, replies: { id: 'cus_1', deleted: true } }],
      gives: { customerId: 'cus_1', deleted: true, customerData: { id: 'cus_1', deleted: true } },
    },
    {
      type: 'stripe.customer.List',
      exchanges: [{ asks: `GET ${api}/customers?limit=10&email=ada%40example.com`, replies: list(customer) }],
      gives: { customers: [customer], totalCount: 1 },
    },
    {
      type: 'stripe.payment.CreateIntent',
      exchanges: [
        {
          asks: `POST ${api}/payment_intents`,
          sends: { amount: '1250', currency: 'eur', customer: 'cus_1' },
          replies: intent,
        },
      ],
      gives: { paymentIntentId: 'pi_1', status: 'succeeded', rawResponse: intent },
    },
    {
      type: 'stripe.payment.ConfirmIntent',
      exchanges: [
        {
          asks: `POST ${api}/payment_intents/pi_1/confirm`,
          sends: { payment_method: 'pm_1' },
          replies: intent,
        },
      ],
      gives: { paymentIntentId: 'pi_1', status: 'succeeded', raw: JSON.stringify(intent) },
    },
    {
      type: 'stripe.payment.ListIntents',
      exchanges: [{ asks: `GET ${api}/payment_intents?limit=5&customer=cus_1`, replies: list(intent) }],
      gives: { count: 1, paymentIntents: [intent] },
    },
    {
      type: 'stripe.payment.CreateMethod',
      exchanges: [{ asks: `POST ${api}/payment_methods`, sends: card, replies: method }],
      gives: { paymentMethodId: 'pm_1', type: 'card', rawResponse: method },
    },
    {
      type: 'stripe.payment.CreateMethod',
      when: 'with a card that is declined',
      exchanges: [
        {
          asks: `POST ${api}/payment_methods`,
          sends: card,
          status: 402,
          replies: { error: { type: 'card_error', message: 'Your card was declined.' } },
        },
      ],
      fails: 'Your card was declined.',
    },
    {
      type: 'stripe.payment.AttachMethod',
      exchanges: [
        { asks: `POST ${api}/payment_methods/pm_1/attach`, sends: { customer: 'cus_1' }, replies: method },
      ],
      gives: { paymentMethodId: 'pm_1', customerId: 'cus_1', type: 'card', paymentMethodData: method },
    },
    {
      type: 'stripe.payment.DetachMethod',
      exchanges: [
        { asks: `POST ${api}/payment_methods/pm_1/detach`, replies: { ...method, customer: null } },
      ],
      gives: { id: 'pm_1', type: 'card', rawResponse: { ...method, customer: null } },
    },
    {
      type: 'stripe.payment.ListMethods',
      exchanges: [{ asks: `GET ${api}/customers/cus_1/payment_methods?type=card`, replies: list(method) }],
      gives: { customerId: 'cus_1', paymentMethodIds: ['pm_1'], raw: JSON.stringify(list(method)) },
    },
    {
      type: 'stripe.payment.Refund',
      exchanges: [
        { asks: `POST ${api}/refunds`, sends: { payment_intent: 'pi_1', amount: '250' }, replies: refund },
      ],
      gives: {
        refundId: 're_1',
        status: 'succeeded',
        amount: 250,
        currency: 'eur',
        raw: JSON.stringify(refund),
      },
    },
    {
      type: 'stripe.webhook.HandleEvent',
      with: signed(now),
      exchanges: [],
      gives: { id: 'evt_1', type: 'charge.succeeded', data: { object: { id: 'ch_1' } }, raw: event },
    },
    {
      type: 'stripe.webhook.HandleEvent',
      when: 'with another body',
      with: { ...signed(now), payload: '{}' },
      exchanges: [],
      fails: 'The signature of the event is wrong.',
    },
    {
      type: 'stripe.webhook.HandleEvent',
      when: 'that is old',
      with: signed(now - 1000),
      exchanges: [],
      fails: 'older than five minutes',
    },
  ],
});
