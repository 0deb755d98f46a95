import { useForm } from '../FormHost.ts';
import { withType } from '../schema/newElement.ts';
import { typeSchema } from '../schema/schema.ts';
import { isMap } from '../source/edit.ts';
import styles from './fields.module.css';
import { ObjectForm } from './ObjectForm.tsx';
import { TypePicker } from './TypePicker.tsx';
import type { WidgetProps } from './widgetProps.ts';

/** One thing of a type to choose: the type, and below it what that type asks for. */
export function BlockWidget(props: WidgetProps<'block'>) {
  const { field, name, path, value, error, isReadOnly, onChange, control } = props;
  const { definitions, readType } = useForm();
  const type = isMap(value) && typeof value.type === 'string' ? value.type : undefined;
  const schema = type === undefined ? undefined : typeSchema(definitions, field.place, type);
  return (
    <div className={styles.box}>
      <TypePicker
        place={field.place}
        type={type}
        label={control['aria-label'] ?? name}
        isInvalid={error !== false}
        isReadOnly={isReadOnly}
        onChoose={(next) =>
          void readType(field.place, next).then((known) => onChange(withType(known, value, next)))
        }
      />
      {isMap(value) && <ObjectForm key={type} schema={schema ?? {}} path={path} />}
    </div>
  );
}
