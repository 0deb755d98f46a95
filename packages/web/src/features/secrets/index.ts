import { lazyPart } from '../../ui/lazyPart.tsx';

export const SecretList = lazyPart(() => import('./SecretListPage.tsx'), 'SecretList');
