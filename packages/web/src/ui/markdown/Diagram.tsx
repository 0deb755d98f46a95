import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from '../../i18n/useTranslation.ts';
import styles from './CodeBlock.module.css';

/** A diagram described in Mermaid's language. One that cannot be drawn is shown as its text. */
export function Diagram({ source }: { source: string }) {
  const { t } = useTranslation();
  const id = useId().replace(/[^\w-]/g, '');
  const scheme = useComputedColorScheme('light');
  const place = useRef<HTMLDivElement>(null);
  const [isBroken, setBroken] = useState(false);

  useEffect(() => {
    let isGone = false;
    const draw = async () => {
      const { default: mermaid } = await import('mermaid');
      mermaid.initialize({
        startOnLoad: false,
        // Labels can come from any user: no HTML, no scripts, no clicks.
        securityLevel: 'strict',
        theme: 'base',
        themeVariables: { darkMode: scheme === 'dark', ...ownColours() },
        fontFamily: 'inherit',
      });
      const { svg } = await mermaid.render(`diagram-${id}`, source);
      if (!isGone && place.current) place.current.innerHTML = svg;
    };
    draw().catch(() => setBroken(true));
    return () => {
      isGone = true;
    };
  }, [id, scheme, source]);

  if (isBroken)
    return (
      <pre className={styles.code}>
        <code>{source}</code>
      </pre>
    );
  return <div ref={place} className={styles.diagram} role="img" aria-label={t('docs.diagram')} />;
}

/** The colours of the page around it; the library cannot read custom properties itself. */
function ownColours(): Record<string, string> {
  const style = getComputedStyle(document.documentElement);
  const read = (name: string): string => style.getPropertyValue(`--mr-${name}`).trim();
  return {
    background: read('surface'),
    primaryColor: read('surface-2'),
    primaryTextColor: read('text'),
    primaryBorderColor: read('border-strong'),
    secondaryColor: read('brand-tint'),
    tertiaryColor: read('page'),
    lineColor: read('illustration-line'),
    textColor: read('text'),
  };
}
