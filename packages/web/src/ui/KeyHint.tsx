import styles from './KeyHint.module.css';

const isMac = () => /mac|iphone|ipad/i.test(navigator.userAgent);

/** `mod+K` as the keys of this machine: "Ctrl K" or "⌘ K". */
export function KeyHint({ keys }: { keys: string }) {
  const names: Readonly<Record<string, string>> = isMac()
    ? { mod: '⌘', shift: '⇧' }
    : { mod: 'Ctrl', shift: 'Shift' };
  const shown = keys.split('+').map((key) => names[key] ?? key);
  return <kbd className={styles.keys}>{shown.join(' ')}</kbd>;
}
