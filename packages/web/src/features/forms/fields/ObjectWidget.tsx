import styles from './fields.module.css';
import { ObjectForm } from './ObjectForm.tsx';
import type { WidgetProps } from './widgetProps.ts';

export function ObjectWidget({ field, path }: WidgetProps<'object'>) {
  return (
    <div className={styles.box}>
      <ObjectForm schema={field.schema} path={path} />
    </div>
  );
}
