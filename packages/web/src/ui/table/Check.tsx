import { type ChangeEventHandler, useEffect, useRef } from 'react';
import styles from './Check.module.css';

interface CheckProps {
  checked: boolean;
  indeterminate?: boolean;
  onChange: ChangeEventHandler<HTMLInputElement>;
  'aria-label': string;
}

/** The box that selects a row: each row has one, so it is the browser's own. */
export function Check({ indeterminate = false, ...box }: CheckProps) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (input.current) input.current.indeterminate = indeterminate;
  }, [indeterminate]);
  return <input ref={input} type="checkbox" className={styles.check} {...box} />;
}
