import { useNavigate } from '@tanstack/react-router';
import { basePath } from '../../api/tenant.ts';
import { useHrefOf } from '../sidebar/navigation.ts';
import type { PaletteItem } from './item.ts';
import { rememberRecent } from './recent.ts';

/** Follows an item: to its page, here or in a new tab, or into its action. */
export function useChoose(onClose: () => void): (item: PaletteItem, inNewTab: boolean) => void {
  const navigate = useNavigate();
  const hrefOf = useHrefOf();
  return (item, inNewTab) => {
    const { target } = item;
    if (target.kind === 'action') {
      if (!target.staysOpen) onClose();
      target.run();
      return;
    }
    remember(item, target.path);
    onClose();
    const href = hrefOf(target);
    if (inNewTab) window.open(`${basePath()}${href}`, '_blank', 'noopener');
    else void navigate({ href });
  };
}

/** The address of an item's page, for the browser's own ways of opening it. */
export function useAddressOf(): (item: PaletteItem) => string | undefined {
  const hrefOf = useHrefOf();
  return ({ target }) => (target.kind === 'page' ? `${basePath()}${hrefOf(target)}` : undefined);
}

const kinds = ['page', 'flow', 'execution', 'doc'] as const;

/** Actions and searches are not places to come back to. */
function remember({ id, label, detail }: PaletteItem, path: string): void {
  const kind = kinds.find((one) => id.startsWith(`${one}:`));
  if (kind) rememberRecent({ id, kind, label, detail, path });
}
