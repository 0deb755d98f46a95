import type { GraphNode } from '@millrace/contract';
import { useEffect, useState } from 'react';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { factIcons, factsOf } from './Facts.tsx';
import styles from './HoverCard.module.css';
import { useTopology } from './topologyView.ts';

/** Long enough to cross a node on the way elsewhere. */
const DELAY_MS = 450;
const CARD_WIDTH_PX = 280;
const GAP_PX = 10;

interface Shown {
  readonly uid: string;
  readonly left: number;
  readonly top: number;
}

/** What a task does and when it runs, beside the node that the pointer rests on. */
export function HoverCard() {
  const { frame, layout } = useTopology();
  const [shown, setShown] = useState<Shown>();
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let over: string | undefined;
    const hide = () => {
      clearTimeout(timer);
      over = undefined;
      setShown(undefined);
    };
    const follow = (event: PointerEvent) => {
      // Buttons and menus have their own hints; a pressed button means a drag.
      const target = event.target instanceof Element ? event.target : undefined;
      const node = target?.closest('button') ? undefined : target?.closest<HTMLElement>('.react-flow__node');
      if (!node || event.pointerType === 'touch' || event.buttons > 0) return hide();
      if (node.dataset.id === over) return;
      hide();
      over = node.dataset.id;
      timer = setTimeout(() => setShown(placeBeside(node, element)), DELAY_MS);
    };
    element.addEventListener('pointerover', follow);
    element.addEventListener('pointerleave', hide);
    element.addEventListener('pointerdown', hide);
    element.addEventListener('wheel', hide, { passive: true });
    return () => {
      clearTimeout(timer);
      element.removeEventListener('pointerover', follow);
      element.removeEventListener('pointerleave', hide);
      element.removeEventListener('pointerdown', hide);
      element.removeEventListener('wheel', hide);
    };
  }, [frame]);
  if (!shown) return null;
  const node =
    layout.nodes.find(({ uid }) => uid === shown.uid)?.node ??
    layout.clusters.find(({ uid }) => uid === shown.uid)?.header;
  return node?.task || node?.triggerDeclaration ? <Card node={node} place={shown} /> : null;
}

/** To the right of the node where there is room, else to its left, else below it. */
function placeBeside(node: HTMLElement, frame: HTMLElement): Shown {
  const box = frame.getBoundingClientRect();
  const rect = (node.querySelector('[data-header]') ?? node).getBoundingClientRect();
  const uid = node.dataset.id ?? '';
  const right = rect.right - box.left + GAP_PX;
  const left = rect.left - box.left - GAP_PX - CARD_WIDTH_PX;
  const top = Math.min(Math.max(GAP_PX, rect.top - box.top), Math.max(GAP_PX, box.height - 170));
  if (right + CARD_WIDTH_PX <= box.width) return { uid, left: right, top };
  if (left >= 0) return { uid, left, top };
  const below = Math.min(
    Math.max(GAP_PX, rect.left - box.left),
    Math.max(GAP_PX, box.width - CARD_WIDTH_PX - GAP_PX),
  );
  return { uid, left: below, top: rect.bottom - box.top + GAP_PX };
}

function Card({ node, place }: { node: GraphNode; place: Shown }) {
  const { t } = useTranslation();
  // `as`: the caller checked that the node has one of them.
  const { id, type, description, disabled } = (node.task ?? node.triggerDeclaration) as {
    id: string;
    type: string;
    description?: unknown;
    disabled?: unknown;
  };
  const facts = factsOf(node);
  return (
    <div className={styles.card} role="tooltip" style={{ left: place.left, top: place.top }}>
      <strong className={styles.id}>{id}</strong>
      <span className={styles.type}>{type}</span>
      {disabled === true && <span className={styles.note}>{t('topology.disabled')}</span>}
      {typeof description === 'string' && <p className={styles.description}>{description}</p>}
      {facts.length > 0 && (
        <dl className={styles.facts}>
          {facts.map(({ kind, text }) => {
            const Icon = factIcons[kind];
            return (
              <div key={kind + text}>
                <dt>
                  <Icon size={13} stroke={1.8} aria-hidden="true" />
                  {t(`topology.facts.${kind}`)}
                </dt>
                <dd>{kind === 'allowFailure' ? t('topology.yes') : text}</dd>
              </div>
            );
          })}
        </dl>
      )}
    </div>
  );
}
