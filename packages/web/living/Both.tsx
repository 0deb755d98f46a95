import styles from './living.module.css';

/** The page in both themes, side by side: a theme holds for a whole document, so each has one. */
export function Both() {
  return (
    <div className={styles.both}>
      <iframe src="?theme=light" title="Light" />
      <iframe src="?theme=dark" title="Dark" />
    </div>
  );
}
