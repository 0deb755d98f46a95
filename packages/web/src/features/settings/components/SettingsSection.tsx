import type { ReactNode } from 'react';
import styles from './SettingsSection.module.css';

interface SettingsSectionProps {
  title: string;
  note?: string;
  children: ReactNode;
}

export function SettingsSection({ title, note, children }: SettingsSectionProps) {
  return (
    <section className={styles.section}>
      <div className={styles.intro}>
        <h2>{title}</h2>
        {note && <p>{note}</p>}
      </div>
      <div className={styles.fields}>{children}</div>
    </section>
  );
}
