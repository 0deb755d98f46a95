import { expect, it } from 'vitest';
import { namespaceTree } from './NamespaceListPage.tsx';

it('S1-2.1.25 shows namespaces as a forest with their parents, the system first', () => {
  const tree = namespaceTree(['shop.orders', 'shop.orders.eu', 'system', 'bank'], 'system');
  expect(tree.map(({ id }) => id)).toEqual(['system', 'bank', 'shop']);
  const shop = tree[2]!;
  expect(shop.isUsed).toBe(false);
  expect(shop.children).toEqual([
    {
      id: 'shop.orders',
      name: 'orders',
      isUsed: true,
      children: [{ id: 'shop.orders.eu', name: 'eu', isUsed: true, children: [] }],
    },
  ]);
});
