import { pipedriveTypes } from '../pipedrive/pipedrive.ts';
import { startServices, testCalls } from '../testing/exchange.ts';
import { shopifyTypes } from './shopify.ts';

startServices();

const store = 'https://acme.myshopify.com/admin/api/2024-10';
const customer = { id: 207119551, email: 'ada@example.com' };
const quick = { rateLimitDelay: 'PT0S' };

testCalls(shopifyTypes, {
  headers: { 'x-shopify-access-token': 'SHOPIFY_TOKEN' },
  cases: [
    {
      type: 'shopify.customers.Create',
      exchanges: [
        {
          asks: `POST ${store}/customers.json`,
          sends: { customer: { email: 'ada@example.com', first_name: 'Ada' } },
          status: 201,
          replies: { customer },
        },
      ],
      gives: { customer },
    },
    {
      type: 'shopify.customers.Get',
      exchanges: [
        { asks: `GET ${store}/customers/207119551.json`, status: 404, replies: { errors: 'Not Found' } },
      ],
      fails: 'Not Found',
    },
    {
      type: 'shopify.customers.Get',
      when: 'that exists',
      exchanges: [{ asks: `GET ${store}/customers/207119551.json`, replies: { customer } }],
      gives: { customer },
    },
    {
      type: 'shopify.customers.Delete',
      exchanges: [{ asks: `DELETE ${store}/customers/207119551.json`, replies: {} }],
    },
    {
      type: 'shopify.customers.List',
      with: { ...quick, limit: 2 },
      exchanges: [
        {
          asks: `GET ${store}/customers.json?limit=2`,
          replies: { customers: [customer] },
          replyHeaders: { link: `<${store}/customers.json?page_info=x>; rel="next"` },
        },
        { asks: `GET ${store}/customers.json?page_info=x`, replies: { customers: [customer, customer] } },
      ],
      gives: { customers: [customer, customer], count: 2 },
    },
    {
      type: 'shopify.orders.List',
      with: quick,
      exchanges: [
        {
          asks: `GET ${store}/orders.json?limit=250&status=any&created_at_min=2026-01-31T00%3A00%3A00Z`,
          replies: { orders: [{ id: 1 }] },
        },
      ],
      gives: { count: 1 },
      stores: { uri: '{"id":1}\n' },
    },
    {
      type: 'shopify.orders.Delete',
      exchanges: [{ asks: `DELETE ${store}/orders/450789469.json`, replies: {} }],
      gives: { orderId: 450789469, deleted: true },
    },
    {
      type: 'shopify.products.List',
      with: { ...quick, fetchType: 'FETCH_ONE' },
      exchanges: [
        {
          asks: `GET ${store}/products.json?limit=250&status=active&vendor=Acme`,
          replies: { products: [{ id: 1 }] },
        },
      ],
      gives: { products: [{ id: 1 }], count: 1 },
    },
    {
      type: 'shopify.products.Update',
      exchanges: [
        {
          asks: `PUT ${store}/products/632910392.json`,
          sends: { product: { id: 632910392, title: 'Rocket', tags: 'new, red' } },
          replies: { product: { id: 632910392 } },
        },
      ],
      gives: { product: { id: 632910392 } },
    },
  ],
});

const pipedrive = 'https://api.pipedrive.com/api/v2';
const times = { add_time: 'a', update_time: 'b' };
const person = { id: 7, name: 'Ada' };

testCalls(pipedriveTypes, {
  headers: { 'x-api-token': 'PIPEDRIVE_TOKEN' },
  cases: [
    {
      type: 'pipedrive.deals.Create',
      exchanges: [
        {
          asks: `POST ${pipedrive}/deals`,
          sends: { title: 'Rockets', value: 1500, currency: 'EUR' },
          status: 201,
          replies: { data: { id: 42, ...times } },
        },
      ],
      gives: { dealId: 42, addTime: 'a', updateTime: 'b' },
    },
    {
      type: 'pipedrive.deals.Update',
      exchanges: [
        {
          asks: `PATCH ${pipedrive}/deals/42`,
          sends: { status: 'won' },
          replies: { data: { id: 42, ...times } },
        },
      ],
      gives: { dealId: 42, updateTime: 'b' },
    },
    {
      type: 'pipedrive.deals.Delete',
      exchanges: [{ asks: `DELETE ${pipedrive}/deals/42`, replies: { success: true } }],
      gives: { deleted: true },
    },
    {
      type: 'pipedrive.deals.Get',
      exchanges: [{ asks: `GET ${pipedrive}/deals/42`, replies: { data: { id: 42 } } }],
      gives: { deal: { id: 42 } },
    },
    {
      type: 'pipedrive.deals.List',
      exchanges: [
        {
          asks: `GET ${pipedrive}/deals?status=open&limit=50`,
          replies: { data: [{ id: 42 }], additional_data: { next_cursor: 'c' } },
        },
      ],
      gives: { deals: [{ id: 42 }], count: 1, nextCursor: 'c' },
    },
    {
      type: 'pipedrive.persons.Create',
      exchanges: [
        {
          asks: `POST ${pipedrive}/persons`,
          sends: { name: 'Ada', emails: [{ value: 'ada@example.com', primary: true, label: 'work' }] },
          status: 400,
          replies: { success: false, error: 'Name is invalid', error_info: 'see the docs' },
        },
      ],
      fails: 'Name is invalid',
    },
    {
      type: 'pipedrive.persons.Update',
      exchanges: [
        {
          asks: `PATCH ${pipedrive}/persons/7`,
          sends: { name: 'Ada L.' },
          replies: { data: { id: 7, ...times } },
        },
      ],
      gives: { personId: 7, updateTime: 'b' },
    },
    {
      type: 'pipedrive.persons.Delete',
      exchanges: [{ asks: `DELETE ${pipedrive}/persons/7`, replies: { success: true } }],
      gives: { deleted: true },
    },
    {
      type: 'pipedrive.persons.Get',
      with: { fetchType: 'STORE' },
      exchanges: [{ asks: `GET ${pipedrive}/persons/7`, replies: { data: person } }],
      gives: { count: 1 },
      stores: { uri: JSON.stringify(person) },
    },
    {
      type: 'pipedrive.persons.List',
      exchanges: [{ asks: `GET ${pipedrive}/persons?org_id=3`, replies: { data: [person] } }],
      gives: { persons: [person], count: 1 },
    },
  ],
});
