import { Link, type LinkProps } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import styles from './TabBar.module.css';

export interface TabItem {
  id: string;
  label: string;
  link: LinkProps;
  badge?: ReactNode;
}

/** Tabs as links: each has an address, Back works, and a tab can be opened in a new window. */
export function TabBar({ items, active, label }: { items: TabItem[]; active: string; label: string }) {
  const bar = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab is the reason to look where it is.
  useEffect(() => {
    const element = bar.current;
    if (!element) return;
    // Numbers beside the names and the font come later, and make tabs wider.
    const observer = new ResizeObserver(() => {
      const tab = element.querySelector<HTMLElement>('[data-active]');
      // Scrolled manually: `scrollIntoView` would scroll the whole page too.
      if (tab) element.scrollLeft = tab.offsetLeft - (element.clientWidth - tab.offsetWidth) / 2;
    });
    for (const tab of element.children) observer.observe(tab);
    return () => observer.disconnect();
  }, [active]);
  useEffect(() => {
    const element = bar.current;
    if (!element) return;
    const mark = () => {
      const rest = element.scrollWidth - element.clientWidth - element.scrollLeft;
      element.toggleAttribute('data-before', element.scrollLeft > 1);
      element.toggleAttribute('data-after', rest > 1);
    };
    const observer = new ResizeObserver(mark);
    observer.observe(element);
    element.addEventListener('scroll', mark, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', mark);
    };
  }, []);
  return (
    <nav ref={bar} className={styles.tabs} aria-label={label}>
      {items.map((item) => (
        <Link
          key={item.id}
          {...item.link}
          className={styles.tab}
          data-active={item.id === active || undefined}
          aria-current={item.id === active ? 'page' : undefined}
        >
          {item.label}
          {item.badge}
        </Link>
      ))}
    </nav>
  );
}
