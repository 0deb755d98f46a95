import { ActionIcon, TextInput } from '@mantine/core';
import { IconChevronDown, IconChevronUp, IconSearch, IconX } from '@tabler/icons-react';
import { Panel } from '@xyflow/react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { useTranslation } from '../../i18n/useTranslation.ts';
import type { GraphLayout } from './layout/layout.ts';
import styles from './Topology.module.css';
import { Control } from './TopologyControls.tsx';
import { taskIdOf } from './toFlowNodes.ts';
import { useTopology } from './topologyView.ts';

/** Finds tasks by id or type and leads from one hit to the next. Opens with the button, with `/` and with Ctrl+F. */
export function TopologySearch() {
  const { t } = useTranslation();
  const { frame } = useTopology();
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const element = frame.current;
    const open = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof HTMLElement && event.target.closest('input, textarea');
      const isFind = (event.ctrlKey || event.metaKey) && event.key === 'f';
      if (isTyping || !(isFind || event.key === '/')) return;
      event.preventDefault();
      setOpen(true);
    };
    element?.addEventListener('keydown', open);
    return () => element?.removeEventListener('keydown', open);
  }, [frame]);
  return (
    <>
      <Control label={t('topology.search')} onClick={() => setOpen(!isOpen)}>
        <IconSearch size={16} />
      </Control>
      {isOpen && frame.current && createPortal(<SearchBox onClose={() => setOpen(false)} />, frame.current)}
    </>
  );
}

function SearchBox({ onClose }: { onClose(): void }) {
  const { t } = useTranslation();
  const { layout, focus, frame } = useTopology();
  const [words, setWords] = useState('');
  const [at, setAt] = useState(-1);
  const input = useRef<HTMLInputElement>(null);
  const hits = useMemo(() => findNodes(layout, words), [layout, words]);
  useEffect(() => input.current?.focus(), []);
  useMarkedHits(frame, words.trim() === '' ? undefined : hits, hits[at]);
  const go = (step: number) => {
    if (hits.length === 0) return;
    const next = (at + step + hits.length) % hits.length;
    setAt(next);
    focus(hits[next] ?? '');
    // The next Enter moves to the next hit.
    input.current?.focus({ preventScroll: true });
  };
  return (
    <Panel position="top-right" className={styles.search ?? ''}>
      <TextInput
        ref={input}
        size="xs"
        aria-label={t('topology.search')}
        placeholder={t('topology.searchFor')}
        value={words}
        onChange={(event) => {
          setWords(event.currentTarget.value);
          setAt(-1);
        }}
        onKeyDown={(event) => {
          event.stopPropagation();
          if (event.key === 'Escape') {
            onClose();
            const hit = hits[at];
            if (hit !== undefined) focus(hit);
          } else if (event.key === 'Enter' || event.key === 'ArrowDown' || event.key === 'ArrowUp') {
            event.preventDefault();
            go(event.shiftKey || event.key === 'ArrowUp' ? -1 : 1);
          }
        }}
      />
      <span className={styles.hits} role="status">
        {words.trim() !== '' && t('topology.hits', { at: at + 1, count: hits.length })}
      </span>
      <ActionIcon
        size={26}
        aria-label={t('topology.previousHit')}
        disabled={hits.length === 0}
        onClick={() => go(-1)}
      >
        <IconChevronUp size={15} />
      </ActionIcon>
      <ActionIcon
        size={26}
        aria-label={t('topology.nextHit')}
        disabled={hits.length === 0}
        onClick={() => go(1)}
      >
        <IconChevronDown size={15} />
      </ActionIcon>
      <ActionIcon size={26} aria-label={t('action.close')} onClick={onClose}>
        <IconX size={15} />
      </ActionIcon>
    </Panel>
  );
}

/** The nodes whose id or type holds every word; those whose id begins with the words come first. */
export function findNodes(layout: GraphLayout, text: string): string[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const named = [
    ...layout.nodes.map(({ uid, node }) => ({ uid, node })),
    ...layout.clusters.flatMap(({ uid, header }) => (header ? [{ uid, node: header }] : [])),
  ];
  return named
    .flatMap(({ uid, node }) => {
      const id = taskIdOf(node)?.toLowerCase();
      if (id === undefined) return [];
      const type = (node.task ?? node.triggerDeclaration)?.type.toLowerCase() ?? '';
      return words.every((word) => id.includes(word) || type.includes(word)) ? [{ uid, id }] : [];
    })
    .sort((a, b) => Number(b.id.startsWith(words[0] ?? '')) - Number(a.id.startsWith(words[0] ?? '')))
    .map(({ uid }) => uid);
}

/** Dims every node that is no hit; a style sheet does it, so that no node is rendered again. */
function useMarkedHits(
  frame: ReturnType<typeof useTopology>['frame'],
  hits: readonly string[] | undefined,
  current: string | undefined,
): void {
  useEffect(() => {
    const element = frame.current;
    if (!element || !hits) return;
    const style = document.createElement('style');
    const named = (uid: string) => `[data-searched] .react-flow__node[data-id=${JSON.stringify(uid)}]`;
    const shown = hits.slice(0, 500).map(named).join(',');
    style.textContent = [
      '[data-searched] .react-flow__node { opacity: 0.35; }',
      '[data-searched] .react-flow__node-cluster { opacity: 0.8; }',
      shown && `${shown} { opacity: 1; }`,
      current !== undefined &&
        `${named(current)} { outline: 2px solid var(--mr-brand); border-radius: 10px; }`,
    ]
      .filter(Boolean)
      .join('\n');
    element.dataset.searched = '';
    document.head.append(style);
    return () => {
      style.remove();
      delete element.dataset.searched;
    };
  }, [frame, hits, current]);
}
