import { lazyPart } from '../../ui/lazyPart.tsx';

export const KvList = lazyPart(() => import('./KvListPage.tsx'), 'KvList');
export const KvForm = lazyPart(() => import('./KvForm.tsx'), 'KvForm');
