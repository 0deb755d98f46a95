import { IconDots } from '@tabler/icons-react';
import { type ReactNode, Suspense, useState } from 'react';
import { lazyPart } from '../lazyPart.tsx';
import { RowButton } from './RowButton.tsx';

const Opened = lazyPart(() => import('./OpenedRowMenu.tsx'), 'OpenedRowMenu');

interface RowMenuProps {
  label: string;
  /** The items, made when the menu is first opened. */
  children: () => ReactNode;
}

/** The three dots of a row. A list has one for each of its rows and opens few of them: until then it is a button. */
export function RowMenu({ label, children }: RowMenuProps) {
  const [isWanted, setWanted] = useState(false);
  const button = (
    <RowButton
      aria-label={label}
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={() => void Opened.load().catch(() => undefined)}
      onClick={() => setWanted(true)}
    >
      <IconDots size={16} stroke={1.7} />
    </RowButton>
  );
  if (!isWanted) return button;
  return (
    <Suspense fallback={button}>
      <Opened label={label}>{children}</Opened>
    </Suspense>
  );
}
